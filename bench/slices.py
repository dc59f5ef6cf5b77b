#!/usr/bin/env python3
"""What the region, the model and tags of devices cost: the same fleet with and without them, in turn in one run.

usage: bench/slices.py [--devices N] [--days N] [--rounds N] [--program FILE] [--keep]

Prints the table of bench/parts.md: processor time of import and of each question, bytes of the file. Networks and versions
of systems and clients are in both: they were told apart before.
"""
import argparse
import hashlib
import multiprocessing
import re
import subprocess

from measure import UPTAKE, WORK, median, remove, run

SCENARIO = """name slices
about Two releases within two days, the second one announced by push.
until 2025-06-30T00:00:00Z
days {days}
devices {devices}
base 4.0.0
work-period 24h

release 4.1.0
  publish production at 9h
release 4.2.0
  publish production at 1d9h
  push production at 1d12h
"""
NOW, RELEASE = "2025-07-01T00:00:00Z", "4.1.0"
REGIONS = "DE FR US GB IN BR JP CA IT ES NL SE PL AU MX KR TR AR ID ZA".split()
MODELS = [f"Model {number}" for number in range(200)]
DEVICE = re.compile(rb'"device":"([^"]+)"')
QUESTIONS = [
    ["adoption", RELEASE], ["time-to-update", RELEASE], ["releases"], ["reach", RELEASE], ["mechanisms", RELEASE], ["failures", RELEASE],
    ["funnel", RELEASE], ["push"], ["time-to-update", RELEASE, "--by", "osVersion"],
]
# By what is new, beside the same question by what was there before.
BEFORE = ["time-to-update", RELEASE, "--by", "osVersion"]
SLICED = [["time-to-update", RELEASE, "--by", by] for by in ("region", "deviceModel", "tag:tier")]


def fields(device):
    """Where a device is and what it is, by its name: some regions and models have most of the devices."""
    digest = hashlib.blake2b(device, digest_size=8).digest()
    region = REGIONS[int((digest[0] / 256) ** 2 * len(REGIONS))]
    model = MODELS[int((int.from_bytes(digest[1:3], "big") / 65536) ** 3 * len(MODELS))]
    tags = '{"tier":"%s","cohort":"c%d"}' % (("free", "pro", "team")[digest[3] % 3], digest[4] % 8)
    return (',"region":"%s","deviceModel":"%s","tags":%s}\n' % (region, model, tags)).encode()


def make(options):
    """The fleet's events, without and with the fields, and its publications."""
    names = [f"slices-{options.devices}-{options.days}{end}" for end in (".ndjson", "-sliced.ndjson", ".json")]
    if all((WORK / name).exists() for name in names):
        return names
    WORK.mkdir(parents=True, exist_ok=True)
    (WORK / "slices.scenario").write_text(SCENARIO.format(devices=options.devices, days=options.days))
    run([options.program, "simulate", "--scenario", "slices.scenario", "--out", names[0], "--publications", names[2], "-q"])
    known = {}
    with open(WORK / names[0], "rb") as plain, open(WORK / names[1], "wb") as sliced:
        for line in plain:
            found = DEVICE.search(line)
            end = known.get(found[1]) or known.setdefault(found[1], fields(found[1])) if found else b"}\n"
            sliced.write(line.rstrip()[:-1] + end)
    return names


def imports(options, names):
    """Runs by database; the files that are left are those of the last round."""
    found = {}
    for _ in range(options.rounds):
        for events, database in zip(names, ("plain.db", "sliced.db")):
            remove(database)
            run([options.program, "release", "publish", "--from", names[2], "--db", database, "-q"])
            found.setdefault(database, []).append(run([options.program, "import", events, "--db", database, "-q"], (0, 6)))
    return found


def ask(options, words, database):
    return run([options.program, *words, "--db", database, "--now", NOW, "--json", "-q"], (0, 4, 6))


def line(what, before, after, unit, place=2):
    return f"| {what} | {before:.{place}f} {unit} | {after:.{place}f} {unit} | {after / before:.2f} |"


def questions(options):
    for words in QUESTIONS:
        pairs = [[ask(options, words, database) for database in ("plain.db", "sliced.db")] for _ in range(options.rounds)]
        yield rows(f"`{' '.join(words)}`", pairs)
    for words in SLICED:
        pairs = [[ask(options, BEFORE, "plain.db"), ask(options, words, "sliced.db")] for _ in range(options.rounds)]
        yield rows(f"`{' '.join(words)}`, beside `--by osVersion`", pairs)


def rows(what, pairs):
    before, after = (median(pair[side].processor for pair in pairs) for side in (0, 1))
    peaks = [max(pair[side].peak for pair in pairs) for side in (0, 1)]
    return line(what, before, after, "s") + f" {peaks[0]} → {peaks[1]} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--devices", type=int, default=1_000_000)
    parser.add_argument("--days", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--program", default=str(UPTAKE))
    parser.add_argument("--keep", action="store_true", help="leave the databases there")
    options = parser.parse_args()
    # In a process of its own: what is in memory before a program starts counts for its peak.
    maker = multiprocessing.Process(target=make, args=(options,))
    maker.start()
    maker.join()
    names = make(options)
    events = int(subprocess.run(["wc", "-l", WORK / names[0]], capture_output=True, text=True, check=True).stdout.split()[0])
    print(f"{options.devices:,} devices, {events:,} events; processor time, medians of {options.rounds} rounds in turn.\n")
    print("| | without | with | ratio | peak MB |\n|---|--:|--:|--:|--:|")
    done = imports(options, names)
    print(rows("`import`", list(zip(done["plain.db"], done["sliced.db"]))))
    sizes = [(WORK / name).stat().st_size / 1e6 for name in ("plain.db", "sliced.db")]
    print(line("bytes of the file", *sizes, "MB", 0) + " |")
    for text in questions(options):
        print(text, flush=True)
    if not options.keep:
        remove("plain.db", "sliced.db")


if __name__ == "__main__":
    main()
