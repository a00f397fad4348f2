"""An engine for the tests that plays the first free cell and misbehaves in the way its argument names."""

import os
import select
import signal
import subprocess
import sys
import time

MODE = sys.argv[1] if len(sys.argv) > 1 else "good"


class Engine:
    def __init__(self) -> None:
        self.size = 0
        self.stones: list[tuple[int, int]] = []
        self.log = sys.argv[2] if len(sys.argv) > 2 else os.devnull

    def say(self, text: str) -> None:
        end = "\r\n" if MODE == "crlf" else "\n"
        sys.stdout.write(text + end)
        sys.stdout.flush()

    def line(self) -> str:
        # Unbuffered, so that "forgetful" can throw away what is in the pipe.
        data = b""
        while not data.endswith(b"\n"):
            byte = os.read(0, 1)
            if not byte:
                if MODE == "ignore-end":
                    time.sleep(60)
                sys.exit(0)
            data += byte
        text = data.decode().strip()
        self.note(text)
        return text

    def note(self, text: str) -> None:
        with open(self.log, "a") as log:
            print(text, file=log)

    def move(self) -> None:
        misbehave(self)
        cell = next((x, y) for y in range(self.size) for x in range(self.size) if (x, y) not in self.stones)
        self.stones.append(cell)
        if MODE == "suggest":
            self.say(f"SUGGEST {cell[0]},{cell[1]}")
            return
        self.say(f"{cell[0]},{cell[1]}")
        if MODE == "leaves":
            sys.exit(3)
        if MODE == "forgetful":
            deadline = time.monotonic() + 0.3
            while (left := deadline - time.monotonic()) > 0:
                if select.select([0], [], [], left)[0]:
                    os.read(0, 65536)
            self.note("listening again")

    def read_board(self) -> None:
        self.stones = []
        before = 0
        while (text := self.line()) != "DONE":
            x, y, who = (int(part) for part in text.split(","))
            if MODE == "wants-order" and who == before:
                sys.exit(9)
            before = who
            self.stones.append((x, y))
        if MODE == "wants-order" and before != 2:
            sys.exit(9)

    def run(self) -> None:
        while True:
            word, _, rest = self.line().partition(" ")
            if word == "START":
                if MODE == "slow-start":
                    time.sleep(0.4)
                if MODE == "small-only" and int(rest) > 9:
                    self.say("ERROR only up to 9")
                    continue
                self.size, self.stones = int(rest), []
                self.say("OK")
            elif word == "RESTART":
                if MODE == "no-restart":
                    self.say("UNKNOWN command")
                else:
                    self.stones = []
                    self.say("OK - here we go again")
            elif word == "BEGIN":
                self.move()
            elif word == "TURN":
                x, y = rest.split(",")
                self.stones.append((int(x), int(y)))
                self.move()
            elif word == "PLAY":
                self.say(rest)
            elif word == "BOARD":
                self.read_board()
                self.move()
            elif word == "SWAP2BOARD":
                count = 0
                while self.line() != "DONE":
                    count += 1
                self.say({0: "1,1 2,2 3,4", 3: "SWAP", 5: "1,1 2,2"}[count])
            elif word == "YXSTOP":
                self.say("UNKNOWN command")
            elif word == "INFO" and MODE == "info-unknown":
                self.say("UNKNOWN info")
            elif word == "END" and MODE != "ignore-end":
                sys.exit(0)


def misbehave(engine: Engine) -> None:
    if MODE == "chatty":
        engine.say("MESSAGE I move to 3,3 now")
        engine.say("DEBUG 4,4")
        engine.say("")
        engine.say("5,5 is nice")
        sys.stdout.buffer.write(b"\xff\xfe\x00garbage\n" + b"x" * 100_000 + b"\n")
        sys.stdout.buffer.flush()
    elif MODE == "crash":
        sys.exit("no idea what to do")
    elif MODE == "segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif MODE == "hang":
        time.sleep(60)
    elif MODE == "busy":
        while True:
            pass
    elif MODE == "flood":
        while True:
            sys.stdout.write("MESSAGE on and on\n")
    elif MODE == "off-board":
        engine.say("99,3")
    elif MODE == "occupied" and engine.stones:
        engine.say("{},{}".format(*engine.stones[0]))
    elif MODE == "refuse":
        engine.say("ERROR I do not like this")
        time.sleep(60)
    elif MODE == "hog":
        memory = bytearray(200_000_000)
        time.sleep(60)
        print(len(memory))
    elif MODE == "family":
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True)


Engine().run()
