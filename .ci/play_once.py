"""Starts `make play` as a stranger would, waits for the page it announces, asks for it once, and stops it."""

import os
import re
import signal
import subprocess
import sys
import threading
import urllib.request

LIMIT_SECONDS = 900


def main() -> int:
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    play = subprocess.Popen(
        ["make", "play"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment,
        start_new_session=True,
    )
    timer = threading.Timer(LIMIT_SECONDS, lambda: os.killpg(play.pid, signal.SIGKILL))
    timer.start()
    assert play.stdout is not None
    answered = False
    for line in play.stdout:
        print("  |", line, end="", flush=True)
        url = re.search(r"http://127\.0\.0\.1:\d+\S*", line)
        if url and not answered:
            with urllib.request.urlopen(url[0], timeout=10) as page:
                answered = page.status == 200 and b"<html" in page.read().lower()
            os.killpg(play.pid, signal.SIGINT)
    play.wait()
    timer.cancel()
    print("the page answered and the program stopped" if answered else "make play announced no page")
    return 0 if answered else 1


if __name__ == "__main__":
    sys.exit(main())
