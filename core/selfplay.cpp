#include "selfplay.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <string>
#include <thread>

#include "quantisedevaluator.hpp"
#include "random.hpp"

namespace fivestone {
namespace {

constexpr int kSmallestBoard = 5;
constexpr int kReferenceCells = 81;
// Shares of visits are stored in this many parts.
constexpr float kShareUnits = 10000.0f;

std::uint64_t seedOfGame(std::uint64_t seed, std::uint64_t game) {
    Random random(seed * 0x9e3779b97f4a7c15ULL + game);
    return random.bits();
}

// One game from its opening to its end.
class Game {
   public:
    Game(const SelfPlayConfig& config, Rule rule, Evaluator& evaluator, std::uint64_t seed,
         const std::atomic<bool>& stop)
        : config_(config), rule_(rule), evaluator_(evaluator), random_(seed), stop_(stop) {}

    // False when stopped.
    bool play() {
        Board board(drawSize(), rule_);
        open(board);
        result_.size = board.size();
        result_.openingPlies = static_cast<int>(board.moves().size());
        MctsConfig search;
        search.tree.c = config_.c;
        search.tree.fpuReduction = config_.fpuReduction;
        search.tree.rootFpuReduction = config_.rootFpuReduction;
        search.leafVcf = search.rootVcf = config_.leafVcf;
        search.noiseAlpha = config_.noiseAlpha * kReferenceCells / static_cast<float>(board.size() * board.size());
        Mcts mcts(search, random_.bits());
        mcts.setRoot(board);
        mayResign_ = random_.uniform() >= config_.resignCheck;
        while (!finished(mcts.board())) {
            if (!searchAndMove(mcts)) return false;
            if (result_.proven || result_.resigned) break;
        }
        for (const Cell move : mcts.board().moves()) result_.moves.push_back(board.moveOf(move));
        close();
        return true;
    }

    SampleBlock samples;
    PlayedGame result_;
    SelfPlayStats stats;

   private:
    int drawSize() {
        double total = 0;
        for (std::size_t i = 0; i < config_.sizes.size(); ++i) total += weightOf(i);
        double left = random_.uniform() * total;
        for (std::size_t i = 0; i + 1 < config_.sizes.size(); ++i)
            if ((left -= weightOf(i)) < 0) return config_.sizes[i];
        return config_.sizes.back();
    }
    double weightOf(std::size_t i) const { return config_.sizeWeights.empty() ? 1.0 : config_.sizeWeights[i]; }

    void open(Board& board) {
        if (!config_.openings.empty() && random_.uniform() < config_.openingShare) {
            std::vector<const Opening*> fitting;
            for (const Opening& opening : config_.openings)
                if (opening.size == board.size()) fitting.push_back(&opening);
            if (!fitting.empty()) {
                const Opening& drawn = *fitting[random_.below(static_cast<std::uint32_t>(fitting.size()))];
                for (const int move : drawn.moves) board.push(board.cellOf(move));
                return;
            }
        }
        if (config_.randomPlies == 0 || random_.uniform() >= config_.randomShare) return;
        const Board empty = board;
        float mostEven = 2.0f;
        for (int i = 0; i < config_.balanceTries; ++i) {
            Board tried = empty;
            const int plies = 1 + static_cast<int>(random_.below(static_cast<std::uint32_t>(config_.randomPlies)));
            for (int ply = 0; ply < plies; ++ply) pushRandom(tried);
            if (tried.isOver()) continue;
            const float value =
                config_.balanceTries > 1 ? std::abs(evaluator_.evaluate(Position(tried), {}, {})) : 0.0f;
            if (value >= mostEven) continue;
            mostEven = value;
            board = tried;
        }
    }

    // A random move: anywhere but on the two outer lines at first, then within two cells of a stone.
    void pushRandom(Board& board) {
        if (board.winner() != Empty) return;
        std::vector<Cell> moves;
        const int margin = std::min(2, (board.size() - 1) / 2);
        for (const Cell cell : board.cells()) {
            bool wanted = false;
            if (board.stoneCount() == 0) {
                const int x = columnOf(cell), y = rowOf(cell), last = board.size() - 1 - margin;
                wanted = x >= margin && x <= last && y >= margin && y <= last;
            }
            for (int dy = -2; dy <= 2 && !wanted; ++dy)
                for (int dx = -2; dx <= 2 && !wanted; ++dx) {
                    const Stone stone = board.at(static_cast<Cell>(cell + dy * kStride + dx));
                    wanted = stone == Black || stone == White;
                }
            if (wanted && board.isLegal(cell)) moves.push_back(cell);
        }
        if (!moves.empty()) board.push(moves[random_.below(static_cast<std::uint32_t>(moves.size()))]);
    }

    bool finished(const Board& board) {
        if (board.winner() != Empty) result_.winner = board.winner();
        return board.isOver() || board.isDeadDraw();
    }

    bool searchAndMove(Mcts& mcts) {
        const bool full = random_.uniform() < config_.fullShare;
        const std::uint32_t wanted = full ? config_.simulations : config_.fastSimulations;
        mcts.setNoiseShare(full ? config_.noiseShare : 0.0f);
        mcts.setNoise(random_.bits());
        // Visits taken over from the last search count, but noise needs new ones to show in a full search.
        const std::uint32_t had = mcts.rootVisits(), least = full ? wanted / 2 : 1;
        stats.simulations += mcts.run(evaluator_, std::max(wanted > had ? wanted - had : 0, least), &stop_);
        ++stats.plies;
        if (stop_.load(std::memory_order_relaxed)) return false;

        const Stone turn = mcts.board().turn();
        const Proof proof = mcts.rootProof();
        const auto moves = mcts.rootMoves();
        const auto policy = mcts.improvedPolicy();
        const float value = proof == Proof::Won ? 1.0f : proof == Proof::Lost ? -1.0f : mcts.rootValue();
        // Where every move loses, the visits say nothing and the value everything.
        if (full) record(mcts.board(), moves, proof == Proof::Lost ? std::vector<float>(moves.size()) : policy, value);
        if (proof != Proof::Open) {
            result_.proven = true;
            result_.winner = proof == Proof::Won ? turn : proof == Proof::Lost ? other(turn) : Empty;
            return true;
        }
        if (wouldResign(turn, value)) return true;
        mcts.advance(moves[draw(policy, static_cast<int>(mcts.board().moves().size()))].move);
        return true;
    }

    std::size_t draw(const std::vector<float>& policy, int ply) {
        const double temperature = ply < config_.temperaturePlies ? 1.0 : config_.lateTemperature;
        const auto best = std::max_element(policy.begin(), policy.end());
        if (temperature <= 0) return static_cast<std::size_t>(best - policy.begin());
        const double power = 1.0 / temperature, highest = *best;
        std::vector<double> weights;
        double total = 0;
        for (const float share : policy) {
            weights.push_back(std::pow(share / highest, power));
            total += weights.back();
        }
        double left = random_.uniform() * total;
        std::size_t chosen = 0;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            if (weights[i] <= 0) continue;
            chosen = i;
            if ((left -= weights[i]) < 0) break;
        }
        return chosen;
    }

    // Keeps count of hopeless values; true when the game ends by it.
    bool wouldResign(Stone turn, float value) {
        if (config_.resignBelow <= -1.0f) return false;
        int& hopeless = hopeless_[side(turn)];
        hopeless = value < config_.resignBelow ? hopeless + 1 : 0;
        if (hopeless < 2) return false;
        if (mayResign_) {
            result_.resigned = true;
            result_.winner = other(turn);
            return true;
        }
        if (wouldHaveResigned_ == Empty) wouldHaveResigned_ = turn;
        return false;
    }

    void record(const Board& board, const std::vector<Mcts::RootMove>& moves, const std::vector<float>& policy,
                float value) {
        std::uint16_t count = 0;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const auto units = static_cast<std::uint16_t>(std::lround(policy[i] * kShareUnits));
            if (units == 0) continue;
            samples.policyMoves.push_back(static_cast<std::uint16_t>(board.moveOf(moves[i].move)));
            samples.policyVisits.push_back(units);
            ++count;
        }
        samples.size.push_back(static_cast<std::uint8_t>(board.size()));
        samples.turn.push_back(board.turn());
        for (const Cell cell : board.cells()) samples.stones.push_back(board.at(cell));
        samples.policyCount.push_back(count);
        samples.z.push_back(0);
        samples.q.push_back(std::clamp(value, -1.0f, 1.0f));
        samples.game.push_back(0);  // numbered when the games are put together
        samples.ply.push_back(static_cast<std::uint16_t>(board.stoneCount()));
    }

    void close() {
        for (std::size_t i = 0; i < samples.z.size(); ++i)
            samples.z[i] = result_.winner == Empty ? 0 : result_.winner == samples.turn[i] ? 1 : -1;
        if (wouldHaveResigned_ != Empty) {
            ++stats.checkedResignations;
            stats.wrongResignations += result_.winner != other(wouldHaveResigned_);
        }
    }

    const SelfPlayConfig& config_;
    Rule rule_;
    Evaluator& evaluator_;
    Random random_;
    const std::atomic<bool>& stop_;
    bool mayResign_ = true;
    Stone wouldHaveResigned_ = Empty;
    int hopeless_[2] = {};
};

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

// Finished games come in out of order; they are taken in order until there are enough.
class Harvest {
   public:
    Harvest(std::size_t samples, std::size_t games) : wantedSamples_(samples), wantedGames_(games) {}

    // The number of the next game to play.
    std::size_t next() {
        const std::lock_guard lock(mutex_);
        return started_++;
    }
    bool wanted(std::size_t game) const { return !enough_ && (wantedGames_ == 0 || game < wantedGames_); }
    const std::atomic<bool>& enough() const { return enough_; }

    void bring(std::size_t number, const Game& game) {
        const std::lock_guard lock(mutex_);
        if (enough_) return;
        if (waiting_.size() <= number) waiting_.resize(number + 1);
        waiting_[number] = std::make_unique<SelfPlayResult>(
            SelfPlayResult{game.samples, std::vector<PlayedGame>{game.result_}, game.stats});
        while (!enough_ && taken_ < waiting_.size() && waiting_[taken_]) take(*waiting_[taken_]);
    }

    SelfPlayResult result;

   private:
    void take(SelfPlayResult& from) {
        SampleBlock& to = result.samples;
        from.samples.game.assign(from.samples.count(), static_cast<std::uint32_t>(taken_));
        append(to.size, from.samples.size);
        append(to.turn, from.samples.turn);
        append(to.stones, from.samples.stones);
        append(to.policyCount, from.samples.policyCount);
        append(to.policyMoves, from.samples.policyMoves);
        append(to.policyVisits, from.samples.policyVisits);
        append(to.z, from.samples.z);
        append(to.q, from.samples.q);
        append(to.game, from.samples.game);
        append(to.ply, from.samples.ply);
        append(result.games, from.games);
        result.stats.simulations += from.stats.simulations;
        result.stats.plies += from.stats.plies;
        result.stats.checkedResignations += from.stats.checkedResignations;
        result.stats.wrongResignations += from.stats.wrongResignations;
        waiting_[taken_++].reset();
        enough_ = wantedGames_ > 0 ? taken_ >= wantedGames_ : to.count() >= wantedSamples_;
    }

    const std::size_t wantedSamples_, wantedGames_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<SelfPlayResult>> waiting_;
    std::size_t started_ = 0, taken_ = 0;
    std::atomic<bool> enough_{false};
};

}  // namespace

std::string problemOf(const SelfPlayConfig& config, Rule rule) {
    if (config.sizes.empty()) return "no board size is given";
    for (const int size : config.sizes)
        if (size < kSmallestBoard || size > kMaxSize) return "board sizes for the line net are 5 to 20";
    if (!config.sizeWeights.empty() && config.sizeWeights.size() != config.sizes.size())
        return "there must be one weight for each board size";
    double total = 0;
    for (const double weight : config.sizeWeights) {
        if (!(weight >= 0)) return "weights of board sizes must not be below zero";
        total += weight;
    }
    if (!config.sizeWeights.empty() && !(total > 0)) return "one weight of a board size must be above zero";
    if (config.simulations < 2 || config.fastSimulations < 2) return "a search needs at least 2 simulations";
    if (!(config.fullShare > 0)) return "without full searches there is nothing to record";
    if (!(config.noiseShare >= 0 && config.noiseShare <= 1)) return "the share of noise is 0 to 1";
    if (!(config.noiseAlpha > 0 && std::isfinite(config.noiseAlpha))) return "noise needs an alpha above zero";
    if (config.randomPlies < 0 || config.balanceTries < 1) return "random openings need plies and tries";
    for (const Opening& opening : config.openings) {
        if (opening.size < kSmallestBoard || opening.size > kMaxSize) return "an opening has a board size out of range";
        Board board(opening.size, rule);
        for (const int move : opening.moves) {
            if (move < 0 || move >= opening.size * opening.size || !board.isLegal(board.cellOf(move)))
                return "an opening has an illegal move";
            board.push(board.cellOf(move));
        }
        if (board.isOver()) return "an opening ends the game";
    }
    return "";
}

std::optional<SelfPlayResult> playGames(std::shared_ptr<const LineNet> net, const SelfPlayConfig& config,
                                        std::uint64_t seed, std::size_t samples, std::size_t games, int threads,
                                        const std::atomic<bool>& stop) {
    Harvest harvest(samples, games);
    // Ends games when the caller says so or enough others are in.
    std::atomic<bool> halt{false};
    const auto shorts = quantised(net);
    const auto work = [&] {
        const auto evaluator = evaluatorOf(net, shorts);
        for (;;) {
            const std::size_t number = harvest.next();
            if (!harvest.wanted(number) || stop) break;
            Game game(config, net->rule(), *evaluator, seedOfGame(seed, number), halt);
            if (!game.play()) break;
            harvest.bring(number, game);
            if (stop || harvest.enough()) halt = true;
        }
    };
    std::vector<std::thread> crew;
    for (int i = 1; i < threads; ++i) crew.emplace_back(work);
    work();
    for (std::thread& thread : crew) thread.join();
    if (!harvest.enough()) return std::nullopt;
    harvest.result.samples.index();
    return std::move(harvest.result);
}

}  // namespace fivestone
