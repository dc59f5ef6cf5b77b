"""A terminal of a given size with a program in it, and what stands on its screen."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

from fleet import PROGRAM, environment


class Screen:
    """Understands what the program draws with: home, lines, erase; anything else is a failure."""

    def __init__(self, *words, columns=80, rows=24, cwd="/", **more):
        self.master, slave = pty.openpty()
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        self.columns, self.rows = columns, rows
        self._set_size()
        self.process = subprocess.Popen(
            [PROGRAM, *words], stdin=slave, stdout=slave, stderr=slave, cwd=cwd, env=environment(**more),
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        self.raw = b""

    def _set_size(self):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", self.rows, self.columns, 0, 0))

    def resize(self, columns, rows):
        self.columns, self.rows = columns, rows
        self._set_size()

    def read(self, seconds):
        """What comes within that time, and at its end what is there: another program may keep this one from looking."""
        end = time.monotonic() + seconds
        while select.select([self.master], [], [], max(0, end - time.monotonic()))[0]:
            try:
                piece = os.read(self.master, 65536)
            except OSError:  # Nobody has the terminal open any more.
                break
            if not piece:
                break
            self.raw += piece

    def until(self, holds, seconds=60):
        """How long it took until the screen is so."""
        start = time.monotonic()
        while not holds(self.text):
            if time.monotonic() - start > seconds:
                raise AssertionError(f"not within {seconds} s; the screen:\n{self.text}")
            self.read(0.01)
        return time.monotonic() - start

    @property
    def frame(self):
        """The bytes of the newest whole frame."""
        frames = self.raw.split(b"\x1b[H")
        whole = [frame for frame in frames[1:] if b"\x1b[J" in frame]
        return whole[-1].split(b"\x1b[J")[0] if whole else b""

    @property
    def text(self):
        words = re.sub(r"\x1b\[\d*m", "", self.frame.decode())
        return words.replace("\x1b[K", "").replace("\r", "") or self.raw.decode(errors="replace")

    @property
    def lines(self):
        return self.text.split("\n")

    def type(self, text):
        os.write(self.master, text.encode())

    def to_the_end(self):
        """All that the program says."""
        while self.process.poll() is None:
            self.read(0.05)
        # The terminal hands on what was written a moment later.
        self.read(0.2)

    def processor_seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self, number=None):
        if number:
            self.process.send_signal(number)
        self.read(0.3)
        status = self.process.wait(60)
        self.read(0.2)
        return status

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        os.close(self.master)
        os.close(self.slave)
