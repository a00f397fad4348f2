"""What a second worker of a Ray cluster brings: samples a second of self-play with 1 and with 2, side by side.

    python benchmarks/cluster.py --seconds 120

Wall time says what a run gains; CPU time of the workers says what a sample costs, whatever else the machine does.
Needs the extra `cluster`.
"""

from __future__ import annotations

import argparse
import threading
import time

import ray

from fivestone.train.cluster import RayBackend
from fivestone.train.config import config_from, preset
from fivestone.train.window import sample_count


def measured(workers: int, seconds: float, samples: int) -> tuple[float, float, float]:
    """Samples, wall seconds and CPU seconds of whole rounds, the first (starting the workers) left out."""
    ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False, logging_level="WARNING")
    backend = RayBackend(config_from({"samples_per_shard": samples}, preset("9x9")), init="line")
    stop = threading.Event()
    backend.generate(0, stop)
    made, number, used, started = 0, 0, 0.0, time.monotonic()
    while time.monotonic() - started < seconds:
        number += 1
        shard = backend.generate(number, stop)
        assert shard is not None
        made += sample_count(shard.samples)
        used += shard.stats["cpu_seconds"]
    result = float(made), time.monotonic() - started, used
    backend.close()
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--seconds", type=float, default=120.0, help="for each number of workers")
    parser.add_argument("--samples", type=int, default=8192, help="of a round")
    options = parser.parse_args()
    print("workers  samples  samples/s  samples/CPU-s  CPU-s/s")
    for workers in options.workers:
        made, wall, cpu = measured(workers, options.seconds, options.samples)
        print(
            f"{workers:7} {made:8.0f} {made / wall:10.0f} {made / max(cpu, 1e-9):14.0f} {cpu / wall:8.2f}", flush=True
        )


if __name__ == "__main__":
    main()
