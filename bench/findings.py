#!/usr/bin/env python3
"""What it costs a service to look for news of exports, with findings and without: processor time of one look, and of a minute.

usage: bench/findings.py [--db FILE] [--now TIME] [--rounds N] [--program FILE]

A service looks every five minutes where nothing else is said, and rests nine times as long as a look took.
"""
import argparse

from measure import UPTAKE, WORK, median, run

EVERY, REST = 300, 9
KINDS = "published,step,halted,milestone,failuresRising,verdict,superseded"


def look(options, *more):
    command = [options.program, "export", "otlp", "--to", "http://127.0.0.1:9", "--db", options.db, "--now", options.now, "-q"]
    runs = [run([*command, *more], (0, 4, 6)) for _ in range(options.rounds)]
    return median(one.processor for one in runs), median(one.seconds for one in runs), max(one.peak for one in runs)


def a_minute(processor, seconds, every):
    return processor * 60 / (seconds + max(every, REST * processor))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--db", default=str(WORK / "warehouse-90m.db"))
    parser.add_argument("--now", default="2025-05-21T00:00:00Z")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--program", default=str(UPTAKE))
    options = parser.parse_args()
    print("| a look for news | processor | by the clock | peak MB | a minute, every 5m | a minute, every 10s |")
    print("|---|--:|--:|--:|--:|--:|")
    for what, more in (("without findings", ["--only", KINDS]), ("with findings", [])):
        processor, seconds, peak = look(options, *more)
        minutes = " | ".join(f"{a_minute(processor, seconds, every):.2f} s" for every in (EVERY, 10))
        print(f"| {what} | {processor:.2f} s | {seconds:.2f} s | {peak} | {minutes} |", flush=True)


if __name__ == "__main__":
    main()
