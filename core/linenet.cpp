#include "linenet.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "random.hpp"

namespace fivestone {
namespace {

std::array<PartShape, kParts> shapesOf(int width, int windowLength) {
    const int w = width;
    std::array<PartShape, kParts> shapes = {{{"generator_input", 4 * windowLength, kGenerator, 0},
                                             {"generator_bias", 0, kGenerator, 0},
                                             {"generator_output", kGenerator, w, 0},
                                             {"cell_bias", 0, w, 0},
                                             {"mix", 3, w, 0},
                                             {"mix_bias", 0, w, 0},
                                             {"hidden", w, w, 0},
                                             {"hidden_bias", 0, w, 0},
                                             {"context", 3 * w, w, 0},
                                             {"policy", 0, w, 0},
                                             {"value", 6 * w, w, 0},
                                             {"value_bias", 0, w, 0},
                                             {"outcome", 3, w, 0},
                                             {"outcome_bias", 0, 3, 0}}};
    std::size_t offset = 0;
    for (PartShape& shape : shapes) {
        shape.offset = offset;
        offset += shape.length();
    }
    return shapes;
}

void fillNormal(std::span<float> values, double deviation, Random& random) {
    for (float& value : values) value = static_cast<float>(deviation * random.normal());
}

}  // namespace

void playRandomly(Position& position, int stones, Random& random) {
    std::vector<Cell> moves;
    while (position.board().stoneCount() < stones && !position.board().isOver()) {
        const Board& board = position.board();
        moves.clear();
        for (const Cell cell : board.cells()) {
            if (!board.isLegal(cell)) continue;
            bool near = false;
            for (const int step : kSteps)
                for (const int distance : {-2, -1, 1, 2}) {
                    const Stone stone = board.at(static_cast<Cell>(cell + distance * step));
                    near |= stone == Black || stone == White;
                }
            if (near) moves.push_back(cell);
        }
        if (moves.empty()) moves.assign(1, board.cellOf(static_cast<int>(random.below(board.size() * board.size()))));
        if (!board.isLegal(moves[0])) return;
        position.push(moves[random.below(static_cast<std::uint32_t>(moves.size()))]);
    }
}

LineNet::LineNet(Rule rule, int width)
    : rule_(rule),
      width_(width),
      rows_(&WindowRows::of(rule)),
      shapes_(shapesOf(width, rows_->windowLength())),
      dense_(shapes_.back().offset + shapes_.back().length()),
      table_(static_cast<std::size_t>(rows_->count()) * width) {
    assert(widthIsKnown(width));
}

GeneratorWeights LineNet::generator() const {
    return {part(Part::GeneratorInput).data(), part(Part::GeneratorBias).data(), part(Part::GeneratorOutput).data(),
            rows_->windowLength()};
}

void LineNet::generateAll(std::span<float> out) const {
    assert(out.size() == table_.size());
    std::fill(out.begin(), out.end(), 0.0f);
    const Kernels* kernels = kernelsFor(width_).front();
    const GeneratorWeights weights = generator();
    for (int row = 0; row < rows_->count(); ++row)
        kernels->generate(weights, rows_->window(row).data(), out.data() + static_cast<std::size_t>(row) * width_);
}

LineNet LineNet::random(Rule rule, std::uint64_t seed, int width) {
    LineNet net(rule, width);
    Random random(seed);
    const double w = width;
    fillNormal(net.part(Part::GeneratorInput), 1 / std::sqrt(net.rows().windowLength()), random);
    fillNormal(net.part(Part::GeneratorOutput), 1 / std::sqrt(2.0 * kGenerator), random);
    const auto mix = net.part(Part::Mix);
    for (int i = 0; i < 3 * width; ++i) {
        const double around[] = {0.0, 0.25, 0.15};
        mix[i] = static_cast<float>((i < width ? 1.0 : 0.0) + around[i / width] * random.normal());
    }
    fillNormal(net.part(Part::Hidden), std::sqrt(2 / w), random);
    fillNormal(net.part(Part::Context), 0.5 / std::sqrt(3 * w), random);
    fillNormal(net.part(Part::Policy), 0.3 / std::sqrt(w), random);
    fillNormal(net.part(Part::Value), 1 / std::sqrt(3 * w), random);
    fillNormal(net.part(Part::Outcome), 0.3 / std::sqrt(w), random);
    net.scaleOnRandomPositions(seed);
    net.generateAll(net.table());
    return net;
}

// Without this the bias of the rows drowns what tells windows apart, and learning starts very slowly.
void LineNet::scaleOnRandomPositions(std::uint64_t seed) {
    constexpr int kPositions = 64;
    generateAll(table_);
    Random random(seed ^ 0x5ca1eULL);
    std::vector<double> sum(width_), squares(width_);
    double cells = 0;
    for (int i = 0; i < kPositions; ++i) {
        const Board empty(9 + 2 * (i % 4), rule_);
        Position position(empty);
        playRandomly(position, 2 + i / 2, random);
        const Board& board = position.board();
        for (const Cell cell : board.cells()) {
            ++cells;
            for (int d = 0; d < width_; ++d) {
                double value = 0;
                for (const Code code : position.lines().codes(cell))
                    value +=
                        table_[static_cast<std::size_t>(rows_->row(board.turn(), board.at(cell), code)) * width_ + d];
                sum[d] += value;
                squares[d] += value * value;
            }
        }
    }
    const auto output = part(Part::GeneratorOutput), bias = part(Part::CellBias);
    for (int d = 0; d < width_; ++d) {
        const double mean = sum[d] / cells, deviation = std::sqrt(std::max(squares[d] / cells - mean * mean, 1e-6));
        for (int i = 0; i < kGenerator; ++i) output[i * width_ + d] /= static_cast<float>(deviation);
        bias[d] = static_cast<float>(-mean / deviation);
    }
}

SizedHeads::SizedHeads(const LineNet& net, int size) {
    const std::size_t square = static_cast<std::size_t>(net.width()) * net.width();
    const float stretch = sizeStretch(size);
    // [mean, stretched mean, max] of one pool -> [mean, max]
    const auto fold = [&](std::span<const float> from, AlignedFloats& to) {
        for (std::size_t i = 0; i < square; ++i) to.push_back(from[i] + stretch * from[square + i]);
        to.insert(to.end(), from.begin() + 2 * square, from.begin() + 3 * square);
    };
    fold(net.part(Part::Context), context_);
    fold(net.part(Part::Value), value_);
    fold(net.part(Part::Value).subspan(3 * square), value_);
    weights_ = {net.part(Part::Mix).data(),
                net.part(Part::MixBias).data(),
                net.part(Part::Hidden).data(),
                net.part(Part::HiddenBias).data(),
                context_.data(),
                net.part(Part::Policy).data(),
                value_.data(),
                net.part(Part::ValueBias).data(),
                net.part(Part::Outcome).data(),
                net.part(Part::OutcomeBias).data()};
}

LineNetEvaluator::LineNetEvaluator(std::shared_ptr<const LineNet> net, const Kernels* kernels)
    : net_(std::move(net)), kernels_(kernels ? kernels : kernelsFor(net_->width()).front()) {}

void LineNetEvaluator::prepare(const Board& board) {
    constexpr int kSpare = 16;  // rows that a block of cells may run over
    const int size = board.size();
    rule_ = board.rule();
    rows_ = WindowRows::of(net_->rule(), rule_);
    assert(rows_ != nullptr);
    grid_ = Grid(size);
    heads_ = std::make_unique<SizedHeads>(*net_, size);
    const std::size_t cells = static_cast<std::size_t>(size) * size, width = net_->width();
    for (View& view : views_) {
        view.seen.prepare(size, rows_->reach());
        view.features.assign(grid_.slots * width, 0.0f);
    }
    placeOf_.assign(static_cast<std::size_t>(grid_.slots), 0);
    changedSlots_.resize(cells);
    changedRows_.resize(cells);
    mixed_.resize((cells + kSpare) * width);
    logits_.resize(cells + kSpare);
    pools_.resize(kPools * width);
    valueHidden_.resize(width);
    out_ = {mixed_.data(), nullptr, logits_.data(), pools_.data(), valueHidden_.data(), {}};
}

void LineNetEvaluator::refresh(const Position& position) {
    const Board& board = position.board();
    View& view = views_[side(board.turn())];
    view.seen.update(position.stones());
    const auto changed = view.seen.changed();
    const auto empty = view.seen.emptySlotsInOrder();
    for (std::size_t i = 0; i < empty.size(); ++i) placeOf_[empty[i]] = static_cast<std::uint16_t>(i);
    for (std::size_t i = 0; i < changed.size(); ++i) {
        const Cell cell = changed[i];
        changedSlots_[i] = view.seen.slotOf(cell);
        const std::uint32_t* rows = rows_->table(board.turn(), board.at(cell));
        for (int direction = 0; direction < kDirections; ++direction)
            changedRows_[i][direction] = rows[position.lines().codes(cell)[direction]];
    }
    kernels_->cells(net_->table().data(), reinterpret_cast<const std::uint32_t (*)[4]>(changedRows_.data()),
                    changedSlots_.data(), static_cast<int>(changed.size()), net_->part(Part::CellBias).data(),
                    view.features.data());
    const HeadInput in = {view.features.data(), grid_.stride, empty.data(), static_cast<int>(empty.size()),
                          1.0f / static_cast<float>(board.size() * board.size())};
    kernels_->heads(heads_->weights(), in, out_);
}

float LineNetEvaluator::evaluate(const Position& position) {
    const Board& board = position.board();
    if (board.size() != grid_.size || board.rule() != rule_) prepare(board);
    refresh(position);
    return out_.outcome[0] - out_.outcome[2];
}

float LineNetEvaluator::evaluate(const Position& position, std::span<const Cell> moves, std::span<float> policy) {
    const float value = evaluate(position);
    for (std::size_t i = 0; i < moves.size(); ++i) policy[i] = logit(moves[i]);
    kernels_->softmax(policy.data(), static_cast<int>(moves.size()));
    return value;
}

}  // namespace fivestone
