#!/usr/bin/env python3
"""Times every question of two builds side by side, and compares what they print.

usage: bench/versions.py BEFORE AFTER [--db FILE | --devices N] [--rounds N]

BEFORE and AFTER are programs. Without --db a fleet of N devices and 20 releases is generated once. The programs take turns; the
table has the seconds of processor time of the fastest round, and whether the answers are the same to the byte.
"""
import argparse
import datetime
import pathlib
import subprocess
import tempfile

from measure import BUILD, WORK, run

RELEASES, UNKNOWN, STOP, NOT_ENOUGH_DATA = 20, 2, 3, 4
RELEASE, BEFORE = "2.0.10", "2.0.9"
QUESTIONS = [
    f"adoption {RELEASE}", f"adoption {RELEASE} --estimand patched", f"adoption {RELEASE} --clock release-age",
    f"time-to-update {RELEASE} --censor last-seen", f"time-to-update {RELEASE} --by appVersion", f"reach {RELEASE}",
    f"mechanisms {RELEASE}", f"compare {RELEASE} {BEFORE}", f"forecast {RELEASE}", f"failures {RELEASE}", f"suspects {RELEASE}",
    f"funnel {RELEASE}", "push", f"push {RELEASE}", "wakeups", "channels", "releases", "releases --platform ios", "status",
    f"verdict {RELEASE}", "verdict", "diagnose",
]


def fleet(devices):
    path = WORK / f"versions-{devices}.db"
    if not path.exists():
        WORK.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            [BUILD / "bench-generate", path, "--devices", str(devices), "--releases", str(RELEASES)], check=True,
            stdout=subprocess.DEVNULL)
    return path


def last_instant():
    """Right after the last release's week."""
    begin = datetime.datetime(2025, 1, 1, tzinfo=datetime.timezone.utc)
    return (begin + datetime.timedelta(weeks=RELEASES)).strftime("%Y-%m-%dT%H:%M:%SZ")


def ask(program, question, database):
    command = [program, *question.split(), "--db", database, "--now", last_instant(), "--format", "json", "--quiet"]
    return run(command, accepted=(0, UNKNOWN, STOP, NOT_ENOUGH_DATA))


def site(program, database, folder):
    return run([program, "report", "--db", database, "--now", last_instant(), "--out", folder, "--quiet"])


def differing(folders):
    return subprocess.run(["diff", "-rq", *folders], capture_output=True).returncode != 0


def line(what, runs, same):
    fastest = [min(one.processor for one in rounds) for rounds in runs]
    peaks = [max(one.peak for one in rounds) for rounds in runs]
    return (f"| `{what}` | {fastest[0]:.2f} | {fastest[1]:.2f} | {fastest[1] / max(fastest[0], 0.001):.2f} "
            f"| {peaks[0]} → {peaks[1]} | {'same' if same else 'DIFFERENT'} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("after", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--db", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--devices", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    database, programs = options.db or fleet(options.devices), [options.before, options.after]
    WORK.mkdir(parents=True, exist_ok=True)
    print("| question | before | after | ratio | peak MB | answers |\n|---|--:|--:|--:|--:|---|")
    for question in QUESTIONS:
        rounds = [[ask(program, question, database) for program in programs] for _ in range(options.rounds)]
        answers = [{one.output for one in runs} for runs in zip(*rounds)]
        if answers[0] == {""}:
            print(f"| `{question}` | not known | | | | |")
            continue
        print(line(question, list(zip(*rounds)), len(set.union(*answers)) == 1), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        folders = [pathlib.Path(folder) / name for name in ("before", "after")]
        runs = [[site(program, database, out)] for program, out in zip(programs, folders)]
        print(line("report", runs, not differing(folders)))


if __name__ == "__main__":
    main()
