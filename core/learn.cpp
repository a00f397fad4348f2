#include "learn.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "random.hpp"

namespace fivestone {
namespace {

constexpr int kPieces = 8;
constexpr int kSpare = 16;  // rows that a block of cells may run over
constexpr std::int32_t kUnused = -1;

using RowsOfCell = std::array<std::uint32_t, kDirections>;

const std::uint32_t (*plain(const std::vector<RowsOfCell>& rows))[4] {
    return reinterpret_cast<const std::uint32_t (*)[4]>(rows.data());
}

// What Adam makes of a gradient; moments are updated in place.
struct Adam {
    Adam(const LearnConfig& config, float rate, std::int64_t step)
        : config(config),
          scale(rate / static_cast<float>(1 - std::pow(config.beta1, step))),
          rootScale(1 / std::sqrt(static_cast<float>(1 - std::pow(config.beta2, step)))),
          shrink(1 - rate * config.decay) {}

    void update(float* weights, float* first, float* second, const float* gradient, std::size_t count) const {
        for (std::size_t i = 0; i < count; ++i) {
            first[i] = config.beta1 * first[i] + (1 - config.beta1) * gradient[i];
            second[i] = config.beta2 * second[i] + (1 - config.beta2) * gradient[i] * gradient[i];
            weights[i] = weights[i] * shrink - scale * first[i] / (std::sqrt(second[i]) * rootScale + config.epsilon);
        }
    }

    const LearnConfig& config;
    float scale, rootScale, shrink;
};

}  // namespace

struct Learner::Prepared {
    std::vector<RowsOfCell> rows;           // of every cell; numbers of this batch once numberRows has run
    std::vector<std::uint16_t> slots;       // of every cell
    std::vector<std::uint16_t> emptySlots;  // of the empty cells
    std::vector<std::uint16_t> order;       // of a cell among the empty ones
};

struct Learner::Piece {
    AlignedFloats dense, table;
    // gradients of the folded matrices of SizedHeads, by board size
    std::array<AlignedFloats, kMaxSize + 1> context, value;
    AlignedFloats features, featureGradient, mixed, hidden, logits, logitGradient, scratch;
    AlignedFloats pools, valueHidden;
    float outcomeGradient[3];
    HeadOutput out;
    Losses losses;
};

Learner::Learner(const LineNet& net, const LearnConfig& config)
    : net_(net), config_(config), kernels_(kernelsFor(net.width()).front()), pieces_(kPieces) {
    const std::size_t table = net.table().size(), dense = net.dense().size();
    state_.denseFirst.resize(dense);
    state_.denseSecond.resize(dense);
    state_.denseMean.assign(net.dense().begin(), net.dense().end());
    state_.rest.resize(table);
    net.generateAll(state_.rest);
    for (std::size_t i = 0; i < table; ++i) state_.rest[i] = net.table()[i] - state_.rest[i];
    state_.restFirst.resize(table);
    state_.restSecond.resize(table);
    state_.restMean = state_.rest;
    state_.rowSteps.resize(net.rows().count());
    state_.rowMeanSteps.resize(net.rows().count());
    localOf_.assign(net.rows().count(), kUnused);
    denseGradient_.resize(dense);
    hiddenTransposed_.resize(net.part(Part::Hidden).size());

    // The running mean starts short and grows to its full length, so that the random start is soon forgotten.
    warmUp_.push_back(0.0);
    for (double step = 1; (1 + step) / (10 + step) < config.average; ++step)
        warmUp_.push_back(warmUp_.back() + std::log((1 + step) / (10 + step)));

    const std::size_t cells = kMaxCells + kSpare, width = net.width();
    for (Piece& piece : pieces_) {
        piece.dense.resize(dense);
        piece.features.resize(Grid(kMaxSize).slots * width);
        piece.featureGradient.resize(piece.features.size());
        piece.mixed.resize(cells * width);
        piece.hidden.resize(cells * width);
        piece.scratch.resize(2 * cells * width);
        piece.logits.resize(cells);
        piece.logitGradient.resize(cells);
        piece.pools.resize(kPools * width);
        piece.valueHidden.resize(width);
        piece.out = {piece.mixed.data(), piece.hidden.data(),      piece.logits.data(),
                     piece.pools.data(), piece.valueHidden.data(), {}};
    }
}

Learner::~Learner() = default;

void Losses::add(const Losses& other) {
    policy += other.policy;
    entropy += other.entropy;
    value += other.value;
    samples += other.samples;
    policies += other.policies;
    policiesRight += other.policiesRight;
    valuesRight += other.valuesRight;
}

LearnState Learner::state() const {
    LearnState state = state_;
    state.dense.assign(net_.dense().begin(), net_.dense().end());
    return state;
}

void Learner::restore(LearnState state) {
    assert(state.dense.size() == net_.dense().size() && state.rest.size() == state_.rest.size());
    std::copy(state.dense.begin(), state.dense.end(), net_.dense().begin());
    state_ = std::move(state);
    state_.dense.clear();
}

double Learner::logKept(std::int64_t step) const {
    const auto last = static_cast<std::int64_t>(warmUp_.size()) - 1;
    return warmUp_[std::min(step, last)] +
           static_cast<double>(std::max<std::int64_t>(step - last, 0)) * std::log(static_cast<double>(config_.average));
}

void Learner::prepare(std::span<const Sample> samples, Workers& workers) {
    if (prepared_.size() < samples.size()) prepared_.resize(samples.size());
    for (auto& heads : heads_) heads.reset();
    for (const Sample& sample : samples) {
        if (!heads_[sample.size]) heads_[sample.size] = std::make_unique<SizedHeads>(net_, sample.size);
        if (!emptyLines_[sample.size])
            emptyLines_[sample.size] = std::make_unique<Lines>(Board(sample.size, net_.rule()));
    }
    workers.run(kPieces, [&](int piece) {
        for (std::size_t i = piece; i < samples.size(); i += kPieces) {
            const Sample& sample = samples[i];
            Prepared& prepared = prepared_[i];
            const Grid grid(sample.size);
            const std::size_t cells = sample.stones.size();
            Lines lines = *emptyLines_[sample.size];
            const auto cellOf = [&](std::size_t move) {
                return cellAt(static_cast<int>(move) % sample.size, static_cast<int>(move) / sample.size);
            };
            for (std::size_t move = 0; move < cells; ++move)
                if (sample.stones[move] != Empty) lines.add(cellOf(move), static_cast<Stone>(sample.stones[move]));
            prepared.rows.resize(cells);
            prepared.slots.resize(cells);
            prepared.order.resize(cells);
            prepared.emptySlots.clear();
            for (std::size_t move = 0; move < cells; ++move) {
                const auto stone = static_cast<Stone>(sample.stones[move]);
                const auto& codes = lines.codes(cellOf(move));
                const std::uint32_t* const table = net_.rows().table(sample.turn, stone);
                for (int k = 0; k < kDirections; ++k) prepared.rows[move][k] = table[codes[k]];
                prepared.slots[move] = grid.slotOf(cellOf(move));
                prepared.order[move] = static_cast<std::uint16_t>(prepared.emptySlots.size());
                if (stone == Empty) prepared.emptySlots.push_back(prepared.slots[move]);
            }
        }
    });
    prepared_.resize(samples.size());
    numberRows();
}

// Numbers the rows of the batch from 0, so that only they need be generated and have gradients.
void Learner::numberRows() {
    for (const std::uint32_t row : rowsInUse_) localOf_[row] = kUnused;
    rowsInUse_.clear();
    for (Prepared& prepared : prepared_)
        for (RowsOfCell& rows : prepared.rows)
            for (std::uint32_t& row : rows) {
                std::int32_t& local = localOf_[row];
                if (local == kUnused) {
                    local = static_cast<std::int32_t>(rowsInUse_.size());
                    rowsInUse_.push_back(row);
                }
                row = static_cast<std::uint32_t>(local);
            }
}

void Learner::generateRows(Workers& workers) {
    const std::size_t width = net_.width();
    batchTable_.resize(rowsInUse_.size() * width);
    const GeneratorWeights generator = net_.generator();
    workers.run(kPieces, [&](int piece) {
        for (std::size_t i = piece; i < rowsInUse_.size(); i += kPieces) {
            const std::size_t row = rowsInUse_[i];
            std::copy_n(state_.rest.begin() + row * width, width, batchTable_.begin() + i * width);
            kernels_->generate(generator, net_.rows().window(rowsInUse_[i]).data(), batchTable_.data() + i * width);
        }
    });
}

// Leaves in the piece the gradients of the loss by the logits, and adds up the losses.
void Learner::lossGradient(const Sample& sample, const Prepared& prepared, float scale, Piece& piece) {
    const int count = static_cast<int>(prepared.emptySlots.size());
    float* probabilities = piece.logitGradient.data();
    std::copy_n(piece.logits.data(), count, probabilities);
    kernels_->softmax(probabilities, count);
    double visits = 0;
    for (const std::uint16_t n : sample.visits) visits += n;
    if (visits > 0) {
        ++piece.losses.policies;
        const auto chosen = std::max_element(probabilities, probabilities + count) - probabilities;
        const std::uint16_t most = *std::max_element(sample.visits.begin(), sample.visits.end());
        for (std::size_t i = 0; i < sample.moves.size(); ++i)
            if (sample.visits[i] == most && prepared.order[sample.moves[i]] == chosen) ++piece.losses.policiesRight;
    } else {
        std::fill_n(probabilities, count, 0.0f);
    }
    for (std::size_t i = 0; i < sample.moves.size(); ++i) {
        const double target = sample.visits[i] / visits;
        float& probability = probabilities[prepared.order[sample.moves[i]]];
        piece.losses.policy -= target * std::log(std::max(static_cast<double>(probability), 1e-30));
        piece.losses.entropy -= target * std::log(target);
        probability -= static_cast<float>(target);
    }
    for (int i = 0; i < count; ++i) probabilities[i] *= scale;

    const float* outcome = piece.out.outcome;
    const float draw = std::min(outcome[1], 1 - std::abs(sample.q));
    const float searched[] = {(1 - draw + sample.q) / 2, draw, (1 - draw - sample.q) / 2};
    for (int k = 0; k < 3; ++k) {
        const float ended = 1 - sample.z == k ? 1.0f : 0.0f;
        const float target = (1 - config_.searchShare) * ended + config_.searchShare * searched[k];
        piece.losses.value -= target * std::log(std::max(static_cast<double>(outcome[k]), 1e-30));
        piece.outcomeGradient[k] = config_.valueWeight * scale * (outcome[k] - target);
    }
    if (std::max_element(outcome, outcome + 3) - outcome == 1 - sample.z) ++piece.losses.valuesRight;
    ++piece.losses.samples;
}

void Learner::differentiate(const Sample& sample, const Prepared& prepared, float scale, Piece& piece) {
    const Grid grid(sample.size);
    const std::size_t width = net_.width(), area = grid.slots * width;
    const int cells = sample.size * sample.size;
    // The border must be zero; what other sizes left there is not.
    std::fill_n(piece.features.begin(), area, 0.0f);
    std::fill_n(piece.featureGradient.begin(), area, 0.0f);
    kernels_->cells(batchTable_.data(), plain(prepared.rows), prepared.slots.data(), cells,
                    net_.part(Part::CellBias).data(), piece.features.data());
    const HeadWeights& weights = heads_[sample.size]->weights();
    const HeadInput in = {piece.features.data(), grid.stride, prepared.emptySlots.data(),
                          static_cast<int>(prepared.emptySlots.size()), 1.0f / static_cast<float>(cells)};
    kernels_->heads(weights, in, piece.out);
    lossGradient(sample, prepared, scale, piece);

    const auto gradient = [&](Part part) { return piece.dense.data() + net_.shape(part).offset; };
    HeadGradient to = {gradient(Part::Mix),
                       gradient(Part::MixBias),
                       gradient(Part::Hidden),
                       gradient(Part::HiddenBias),
                       piece.context[sample.size].data(),
                       gradient(Part::Policy),
                       piece.value[sample.size].data(),
                       gradient(Part::ValueBias),
                       gradient(Part::Outcome),
                       gradient(Part::OutcomeBias),
                       hiddenTransposed_.data(),
                       piece.logitGradient.data(),
                       piece.outcomeGradient,
                       piece.scratch.data(),
                       piece.featureGradient.data()};
    kernels_->headsGradient(weights, in, piece.out, to);
    kernels_->cellsGradient(piece.features.data(), piece.featureGradient.data(), plain(prepared.rows),
                            prepared.slots.data(), cells, piece.table.data(), gradient(Part::CellBias));
}

Losses Learner::differentiate(std::span<const Sample> samples, Workers& workers) {
    prepare(samples, workers);
    generateRows(workers);
    const std::size_t width = net_.width(), square = width * width;
    const auto hidden = net_.part(Part::Hidden);
    for (std::size_t i = 0; i < square; ++i) hiddenTransposed_[i % width * width + i / width] = hidden[i];
    const float scale = 1.0f / static_cast<float>(samples.size());
    workers.run(kPieces, [&](int index) {
        Piece& piece = pieces_[index];
        piece.losses = {};
        std::fill(piece.dense.begin(), piece.dense.end(), 0.0f);
        piece.table.assign(rowsInUse_.size() * width, 0.0f);
        for (int size = 0; size <= kMaxSize; ++size) {
            piece.context[size].assign(heads_[size] ? 2 * square : 0, 0.0f);
            piece.value[size].assign(heads_[size] ? kPools * square : 0, 0.0f);
        }
        for (std::size_t i = index; i < samples.size(); i += kPieces)
            differentiate(samples[i], prepared_[i], scale, piece);
        // [mean, max] of one pool -> [mean, stretched mean, max]
        const auto unfold = [&](const float* from, float stretch, float* to) {
            for (std::size_t i = 0; i < square; ++i) {
                to[i] += from[i];
                to[square + i] += stretch * from[i];
                to[2 * square + i] += from[square + i];
            }
        };
        float* const context = piece.dense.data() + net_.shape(Part::Context).offset;
        float* const value = piece.dense.data() + net_.shape(Part::Value).offset;
        for (int size = 0; size <= kMaxSize; ++size) {
            if (!heads_[size]) continue;
            unfold(piece.context[size].data(), sizeStretch(size), context);
            unfold(piece.value[size].data(), sizeStretch(size), value);
            unfold(piece.value[size].data() + 2 * square, sizeStretch(size), value + 3 * square);
        }
    });
    gather(workers);
    Losses losses;
    for (const Piece& piece : pieces_) losses.add(piece.losses);
    return losses;
}

// Adds up the pieces, and takes the gradients of the rows on to the generator.
void Learner::gather(Workers& workers) {
    const std::size_t width = net_.width();
    tableGradient_.resize(rowsInUse_.size() * width);
    const GeneratorWeights generator = net_.generator();
    workers.run(kPieces, [&](int index) {
        Piece& piece = pieces_[index];
        GeneratorGradient to = {piece.dense.data() + net_.shape(Part::GeneratorInput).offset,
                                piece.dense.data() + net_.shape(Part::GeneratorBias).offset,
                                piece.dense.data() + net_.shape(Part::GeneratorOutput).offset};
        for (std::size_t i = index; i < rowsInUse_.size(); i += kPieces) {
            float* sum = tableGradient_.data() + i * width;
            std::fill_n(sum, width, 0.0f);
            for (const Piece& from : pieces_)
                for (std::size_t d = 0; d < width; ++d) sum[d] += from.table[i * width + d];
            kernels_->generateGradient(generator, net_.rows().window(rowsInUse_[i]).data(), sum, to);
        }
    });
    std::fill(denseGradient_.begin(), denseGradient_.end(), 0.0f);
    for (const Piece& piece : pieces_)
        for (std::size_t i = 0; i < denseGradient_.size(); ++i) denseGradient_[i] += piece.dense[i];
}

// Rows are seldom used, so each counts its own steps for Adam and catches up with its running mean when it is
// used: its rest stood still since, so that is exact.
void Learner::updateRow(std::size_t local, float rate) {
    const std::size_t row = rowsInUse_[local], width = net_.width(), at = row * width;
    const auto keep = static_cast<float>(std::exp(logKept(state_.step) - logKept(state_.rowMeanSteps[row])));
    for (std::size_t i = at; i < at + width; ++i)
        state_.restMean[i] = state_.rest[i] + keep * (state_.restMean[i] - state_.rest[i]);
    state_.rowMeanSteps[row] = static_cast<std::int32_t>(state_.step);
    Adam(config_, rate, ++state_.rowSteps[row])
        .update(&state_.rest[at], &state_.restFirst[at], &state_.restSecond[at], &tableGradient_[local * width], width);
}

void Learner::updateDense(float rate) {
    const auto dense = net_.dense();
    Adam(config_, rate, state_.step)
        .update(dense.data(), state_.denseFirst.data(), state_.denseSecond.data(), denseGradient_.data(), dense.size());
    const auto keep = static_cast<float>(std::exp(logKept(state_.step) - logKept(state_.step - 1)));
    for (std::size_t i = 0; i < dense.size(); ++i)
        state_.denseMean[i] = dense[i] + keep * (state_.denseMean[i] - dense[i]);
}

Losses Learner::step(std::span<const Sample> samples, float rate, Workers& workers) {
    const Losses losses = differentiate(samples, workers);
    // A row's mean is brought up to the steps before this one, then the row moves.
    workers.run(kPieces, [&](int piece) {
        for (std::size_t i = piece; i < rowsInUse_.size(); i += kPieces) updateRow(i, rate);
    });
    ++state_.step;
    updateDense(rate);
    return losses;
}

Losses Learner::train(const SampleWindow& window, int steps, int batch, float rate, std::uint64_t seed, int threads,
                      const std::atomic<bool>* stop) {
    assert(window.count() > 0);
    Workers workers(std::clamp(threads, 1, kPieces));
    Random random(seed);
    std::vector<Sample> samples(batch);
    Losses sum;
    for (int i = 0; i < steps && !(stop && stop->load(std::memory_order_relaxed)); ++i) {
        for (Sample& sample : samples) sample = window.at(random.below(static_cast<std::uint32_t>(window.count())));
        sum.add(step(samples, rate, workers));
    }
    return sum;
}

Losses Learner::gradient(std::span<const Sample> samples, std::vector<float>& dense, std::vector<float>& table) {
    Workers workers(1);
    const Losses losses = differentiate(samples, workers);
    dense.assign(denseGradient_.begin(), denseGradient_.end());
    table.assign(state_.rest.size(), 0.0f);
    const std::size_t width = net_.width();
    for (std::size_t i = 0; i < rowsInUse_.size(); ++i)
        std::copy_n(tableGradient_.begin() + i * width, width, table.begin() + rowsInUse_[i] * width);
    return losses;
}

LineNet Learner::net(bool mean) const {
    LineNet net = net_;
    if (mean) std::copy(state_.denseMean.begin(), state_.denseMean.end(), net.dense().begin());
    const auto table = net.table();
    net.generateAll(table);
    const std::size_t width = net.width();
    for (std::size_t row = 0; row < state_.rowMeanSteps.size(); ++row) {
        const auto keep =
            mean ? static_cast<float>(std::exp(logKept(state_.step) - logKept(state_.rowMeanSteps[row]))) : 0.0f;
        for (std::size_t i = row * width; i < (row + 1) * width; ++i)
            table[i] += state_.rest[i] + keep * (state_.restMean[i] - state_.rest[i]);
    }
    return net;
}

}  // namespace fivestone
