// A few threads that share the tasks of one call after another.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace fivestone {

class Workers {
   public:
    // The calling thread is one of them.
    explicit Workers(int threads) {
        for (int i = 1; i < threads; ++i) threads_.emplace_back([this] { serve(); });
    }
    ~Workers() {
        {
            const std::lock_guard lock(mutex_);
            closing_ = true;
        }
        wake_.notify_all();
        for (std::thread& thread : threads_) thread.join();
    }
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    // Calls task(0) .. task(count - 1), in any order, and returns when all are done.
    void run(int count, const std::function<void(int)>& task) {
        if (threads_.empty()) {
            for (int i = 0; i < count; ++i) task(i);
            return;
        }
        {
            const std::lock_guard lock(mutex_);
            task_ = &task;
            count_ = count;
            next_ = 0;
            busy_ = static_cast<int>(threads_.size());
            ++round_;
        }
        wake_.notify_all();
        work(task, count);
        std::unique_lock lock(mutex_);
        done_.wait(lock, [this] { return busy_ == 0; });
    }

   private:
    void work(const std::function<void(int)>& task, int count) {
        for (int i = next_++; i < count; i = next_++) task(i);
    }

    void serve() {
        std::unique_lock lock(mutex_);
        for (long long served = 0;;) {
            wake_.wait(lock, [&] { return closing_ || round_ != served; });
            if (closing_) return;
            served = round_;
            const std::function<void(int)>& task = *task_;
            const int count = count_;
            lock.unlock();
            work(task, count);
            lock.lock();
            if (--busy_ == 0) done_.notify_one();
        }
    }

    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable wake_, done_;
    const std::function<void(int)>* task_ = nullptr;
    std::atomic<int> next_{0};
    int count_ = 0, busy_ = 0;
    long long round_ = 0;
    bool closing_ = false;
};

}  // namespace fivestone
