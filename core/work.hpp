// The work of one run of a tree search, shared by its threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

#include "mcts.hpp"

namespace fivestone {

// Critical sections are well under a microsecond: spinning beats sleeping until the holder itself is descheduled.
class SpinLock {
   public:
    void lock() {
        for (int spins = 0; locked_.exchange(true, std::memory_order_acquire); ++spins)
            if (spins > 200) std::this_thread::yield();
    }
    void unlock() { locked_.store(false, std::memory_order_release); }

   private:
    std::atomic<bool> locked_{false};
};

// What the threads of one run share. The tree is only touched under the lock, leaves are judged outside it.
class Mcts::Work {
   public:
    Work(std::uint32_t simulations, bool shared, const std::atomic<bool>* stop)
        : shared(shared), left(simulations), stop(stop) {}

    void lock() {
        if (shared) lock_.lock();
    }
    void unlock() {
        if (shared) lock_.unlock();
    }
    bool stopped() const { return stop != nullptr && stop->load(std::memory_order_relaxed); }

    const bool shared;
    std::uint32_t left;

   private:
    const std::atomic<bool>* stop;
    SpinLock lock_;
};

}  // namespace fivestone
