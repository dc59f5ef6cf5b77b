#!/usr/bin/env python3
"""Runs every comparison side by side and writes the table into bench/README.md.

usage: bench/run.py [--events N] [--rounds N] [--seconds N] [--only decode,import,fold,http,questions,live,warehouse]
                    [--sizes '1 M,10 M,100 M'] [--no-write]
"""
import argparse
import os
import pathlib
import platform
import subprocess
import sys

import fold
import imports
import live
import questions
import service
import warehouse
from measure import BUILD, ROOT, Row, table

README = ROOT / "bench" / "README.md"
BEGIN, END = "<!-- the last run, written by make bench -->", "<!-- end of the last run -->"


def decode(options):
    """Rows of bench-decode: million events a second on one core."""
    output = subprocess.run(
        [BUILD / "bench-decode", "--seconds", str(options.seconds)], capture_output=True, text=True, check=True).stdout
    rows = []
    for line in output.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != 5 or not cells[1].isdigit():
            continue
        walk, decoded = float(cells[2]) * 1e6, float(cells[4]) * 1e6
        rows.append(Row(f"{cells[0]}, {cells[1]} bytes an event", "decoded into valid events", decoded, walk))
        rows.append(Row("", "bare simdjson walk of the same bytes", walk, walk))
    return "### JSON decode, one core (events/s)\n\n" + table(rows, "of the walk")


SECTIONS = {
    "decode": decode, "import": imports.section, "fold": fold.section, "http": service.section,
    "questions": questions.section, "live": live.section, "warehouse": warehouse.section,
}


def machine():
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (f"{os.cpu_count()} cores ({model}), {memory:.0f} GB, {platform.system()} {platform.release()}, "
            f"{imports.versions()}; load average at the beginning {os.getloadavg()[0]:.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--events", type=int, default=2_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--sizes", default=",".join(questions.SIZES), help="of the questions' databases")
    parser.add_argument("--warehouse-sizes", default="10 M", help="such as '10 M,90 M'; the larger takes half an hour and 30 GB")
    parser.add_argument("--live-sizes", default="1 M", help="devices, such as '1 M,10 M'; ten million of them, of two releases, have 47 million events")
    parser.add_argument("--only", default=",".join(SECTIONS))
    parser.add_argument("--no-write", action="store_true", help="print the tables, leave README.md as it is")
    options = parser.parse_args()
    parts = [f"Machine: {machine()}. Medians of {options.rounds} rounds, all competitors of a table in turn."]
    for name in options.only.split(","):
        print(f"{name} …", file=sys.stderr)
        parts.append(SECTIONS[name](options))
    text = "\n\n".join(parts)
    print(text)
    if not options.no_write:
        page = README.read_text()
        head, rest = page.split(BEGIN)
        README.write_text(head + BEGIN + "\n\n" + text + "\n\n" + END + rest.split(END)[1])


if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    main()
