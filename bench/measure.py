"""What the parts of the benchmark share: places, a timed process, rows of a table."""
import dataclasses
import os
import pathlib
import statistics
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / ".build" / "release"
WORK = ROOT / ".build" / "bench"
UPTAKE = BUILD / "uptake"


@dataclasses.dataclass
class Run:
    seconds: float
    processor: float
    peak: int
    output: str


def run(command, accepted=(0,)):
    """Runs a command to its end: seconds by the clock, seconds of processor, peak of resident memory in MB."""
    begin = time.perf_counter()
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, text=True, cwd=WORK)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in accepted:
        raise SystemExit(f"{command} ended with status {os.waitstatus_to_exitcode(status)}")
    return Run(time.perf_counter() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024, output)


@dataclasses.dataclass
class Row:
    what: str
    how: str
    rate: float
    base: float
    notes: tuple = ()


def median(values):
    return statistics.median(values)


def rate(value):
    return f"{value / 1e6:.2f} M" if value >= 1e6 else f"{value / 1e3:.0f} k" if value >= 1e4 else f"{value:.0f}"


def table(rows, ratio, *notes):
    """Markdown; the ratio of each row's rate to its base."""
    lines = ["| " + " | ".join(("", "", "rate", ratio) + notes) + " |", "|---|---" + "|--:" * (2 + len(notes)) + "|"]
    for row in rows:
        cells = (row.what, row.how, rate(row.rate), f"{row.rate / row.base:.2f}") + row.notes
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def remove(*names):
    for name in names:
        for path in WORK.glob(name + "*"):
            subprocess.run(["rm", "-rf", path], check=True)
