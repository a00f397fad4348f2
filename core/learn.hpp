// Teaches a line net from samples: the gradient of policy and value, Adam, and a running mean of the weights.
//
// The loss of a sample is the cross-entropy of the visits over the empty cells plus `valueWeight` times that of the
// outcome. The outcome to learn is (1 - searchShare) * how the game ended + searchShare * what the search thought; the
// latter keeps the net's own probability of a draw, for a search knows only a value. Weights decay towards zero, and so
// do the free rests of table rows, whenever their row is used.
//
// Batches are cut into a fixed number of pieces that are added up in a fixed order, so the number of threads does not
// change the result.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "linenet.hpp"
#include "samples.hpp"
#include "workers.hpp"

namespace fivestone {

struct LearnConfig {
    float valueWeight = 1.0f;
    float searchShare = 0.3f;
    float decay = 1e-4f;  // weight decay, apart from the gradient (AdamW)
    float beta1 = 0.9f, beta2 = 0.999f, epsilon = 1e-8f;
    float average = 0.999f;  // how much of the running mean is kept at a step, at most
};

// Sums over the samples of one or more steps.
struct Losses {
    double policy = 0;   // cross-entropy
    double entropy = 0;  // of the visits: the least the policy loss can be
    double value = 0;
    double samples = 0;
    double policies = 0;       // samples with visits
    double policiesRight = 0;  // of these: the policy's first choice was visited most
    double valuesRight = 0;    // the likeliest outcome was how the game ended
    void add(const Losses& other);
};

// Everything that changes while learning. Restoring it goes on exactly where it was taken.
struct LearnState {
    std::int64_t step = 0;
    // dense arrays of the net: weights, Adam's two moments, running mean
    std::vector<float> dense, denseFirst, denseSecond, denseMean;
    // the same for what table rows have beyond the generated part, rows x width
    std::vector<float> rest, restFirst, restSecond, restMean;
    std::vector<std::int32_t> rowSteps;      // how often a row was updated
    std::vector<std::int32_t> rowMeanSteps;  // the step its running mean was last brought up to
};

class Learner {
   public:
    Learner(const LineNet& net, const LearnConfig& config);
    ~Learner();

    const LearnConfig& config() const { return config_; }
    // A copy.
    LearnState state() const;
    // The arrays must have the lengths of this learner's own.
    void restore(LearnState state);

    // One step on the samples.
    Losses step(std::span<const Sample> samples, float rate, Workers& workers);
    // `steps` steps on batches drawn at random from the window; ends early when `stop` is set.
    Losses train(const SampleWindow& window, int steps, int batch, float rate, std::uint64_t seed, int threads,
                 const std::atomic<bool>* stop = nullptr);
    // The loss and its gradient without a step, for tests: by the dense arrays and by the table rows.
    Losses gradient(std::span<const Sample> samples, std::vector<float>& dense, std::vector<float>& table);

    // The net as it stands, or the running mean of its weights, which plays better.
    LineNet net(bool mean) const;

   private:
    struct Prepared;  // a sample as the kernels read it
    struct Piece;     // gradients of one piece of a batch

    void prepare(std::span<const Sample> samples, Workers& workers);
    void numberRows();
    void generateRows(Workers& workers);
    Losses differentiate(std::span<const Sample> samples, Workers& workers);
    void differentiate(const Sample& sample, const Prepared& prepared, float scale, Piece& piece);
    void lossGradient(const Sample& sample, const Prepared& prepared, float scale, Piece& piece);
    void gather(Workers& workers);
    void updateRow(std::size_t local, float rate);
    void updateDense(float rate);

    // The logarithm of how much of a running mean is left after so many steps from the first.
    double logKept(std::int64_t step) const;

    LineNet net_;  // its dense arrays are the weights; its table is not used
    LearnConfig config_;
    LearnState state_;  // but for `dense`
    const Kernels* kernels_;
    std::vector<double> warmUp_;  // logKept of the first steps
    std::array<std::unique_ptr<const Lines>, kMaxSize + 1> emptyLines_;
    std::array<std::unique_ptr<const SizedHeads>, kMaxSize + 1> heads_;
    std::vector<Prepared> prepared_;
    std::vector<Piece> pieces_;
    std::vector<std::int32_t> localOf_;     // of a row in this batch, or -1
    std::vector<std::uint32_t> rowsInUse_;  // of this batch
    AlignedFloats batchTable_, tableGradient_, hiddenTransposed_, denseGradient_;
};

}  // namespace fivestone
