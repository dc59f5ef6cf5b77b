#!/usr/bin/env python3
"""How fast questions are answered while events come in, and what that costs the service: at several rates, on one database.

usage: bench/live.py [--devices N] [--releases N] [--rates 0,100,2000,20000] [--seconds N] [--settle N] [--db FILE] [--program FILE]
       bench/live.py --sizes 100000,1000000,10000000 [--rates 0,2000] …    the growth with devices, as bench/live.svg too

Events are checks of random devices of the fleet, in ten requests a second, and with --updates 0.2 a fifth of them steps of updates to
the newest release: its rollout is under way then. Each question is the whole program, from its start
to its JSON; --askers 2 asks them twice at once. Before the first rate is measured events come in for --settle seconds. A database that is named is used as it is, and grows by what is sent.
"""
import argparse
import concurrent.futures
import heapq
import http.client
import json
import multiprocessing
import os
import pathlib
import queue
import random
import subprocess
import sys
import threading
import time

import growth
from measure import BUILD, UPTAKE, WORK, median

APP, PORT, REQUESTS = "com.example.fleet", 9789, 10


def questions(releases):
    newest = f"2.0.{releases - 1}"
    return [
        ("`verdict`", ["verdict", newest]),
        ("`adoption` of the newest release", ["adoption", newest]),
        ("`time-to-update --by mechanism`", ["time-to-update", newest, "--by", "mechanism"]),
        ("`releases`", ["releases"]),
        ("`reach now`", ["reach", newest]),
        ("`failures`", ["failures", newest]),
        ("`funnel`", ["funnel", newest]),
    ]


# Of an update: how many tenths of a second after it began, at least and at most. One in fifty fails where it would be ready.
STEPS = [("available", 0, 0), ("downloadStarted", 1, 5), ("downloadCompleted", 20, 90), ("ready", 91, 95), ("applied", 100, 250)]


def bucket(device):
    """Of the rollout, as the generator gives it out (`Fleet.bucket`)."""
    bits, z = (1 << 64) - 1, device + 0x9E3779B97F4A7C15
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & bits
    z = (z ^ z >> 27) * 0x94D049BB133111EB & bits
    return (z ^ z >> 31) % 100


class Fleet:
    """Devices that say what they run, and, where asked for, take the newest release meanwhile."""

    def __init__(self, running, seed):
        """Of each device the number of the release that it runs."""
        self.running, self.dice, self.seed, self.number = running, random.Random(seed), seed, 0
        self.newest, self.due = max(running), []

    def event(self, device, stage, release):
        self.number += 1
        more = ',"reason":"network"' if stage == "failed" else ',"bucket":%d' % bucket(device) if stage == "check" else ""
        trigger = "foreground" if device % 3 else "silentPush"
        return '{"id":"%d-%d","device":"d%d","app":"%s","platform":"ios","stage":"%s","release":"2.0.%d","trigger":"%s","at":%d%s}' % (
            self.seed, self.number, device, APP, stage, release, trigger, int(time.time() * 1000), more)

    def check(self):
        device = self.dice.randrange(len(self.running))
        return self.event(device, "check", self.running[device])

    def begin(self, turn):
        """Nothing of a device that has the newest release."""
        device = self.dice.randrange(len(self.running))
        if self.running[device] == self.newest:
            return
        has_failed = self.dice.randrange(50) == 0
        for stage, least, most in STEPS[:-1] if has_failed else STEPS:
            stage = "failed" if has_failed and stage == "ready" else stage
            heapq.heappush(self.due, (turn + self.dice.randint(least, most), device, stage))

    def step(self, turn):
        for _ in range(1000):
            if self.due and self.due[0][0] <= turn:
                break
            self.begin(turn)
        else:
            # Hardly any device is left that has not the newest release.
            return self.check()
        _, device, stage = heapq.heappop(self.due)
        if stage == "applied":
            self.running[device] = self.newest
        return self.event(device, stage, self.newest)


def bodies(running, count, seed, updates=0):
    """One request after another, for ever: checks, and a share of steps of updates to the newest release."""
    fleet, turn = Fleet(running, seed), 0
    while True:
        steps = int(count * updates)
        events = [fleet.step(turn) for _ in range(steps)] + [fleet.check() for _ in range(count - steps)]
        turn += 1
        yield ("[" + ",".join(events) + "]").encode()


def send(rate, path, seconds, results, updates=0):
    """Ten requests a second in a process of its own; puts how long each answer took. What devices run is kept beside their database."""
    path = pathlib.Path(path + ".running")
    running = bytearray(path.read_bytes())
    connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=120)
    latencies, refused, sent = [], 0, 0
    source, begin = bodies(running, max(1, rate // REQUESTS), time.time_ns(), updates), time.perf_counter()
    for turn in range(int(seconds * REQUESTS)):
        body = next(source)
        time.sleep(max(0, begin + turn / REQUESTS - time.perf_counter()))
        start = time.perf_counter()
        connection.request("POST", "/v1/events", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        latencies.append(time.perf_counter() - start)
        refused += answer.status != 200
        sent += max(1, rate // REQUESTS) if answer.status == 200 else 0
    path.write_bytes(running)
    results.put((latencies, refused, sent, time.perf_counter() - begin))


def written(process):
    """What it and its ended children gave to the file system. `write_bytes` says more or less, as the page cache has it: a page of
    16 kB in a folio of 2 MB is counted as 2 MB."""
    for line in open(f"/proc/{process.pid}/io"):
        if line.startswith("wchar"):
            return int(line.split()[1])


def peak(process):
    for line in open(f"/proc/{process.pid}/status"):
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024


class LogWatch(threading.Thread):
    """The longest that the write-ahead log was."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.path, self.longest, self.is_done = path, 0, False

    def run(self):
        while not self.is_done:
            try:
                self.longest = max(self.longest, os.stat(self.path + "-wal").st_size)
            except FileNotFoundError:
                pass
            time.sleep(0.05)


def ask(program, database, asked, until):
    """Milliseconds of each question, in turn until the time is over; three times at least."""
    times, rounds = {name: [] for name, _ in asked}, 0
    while time.perf_counter() < until or rounds < 3:
        for name, words in asked:
            start = time.perf_counter()
            done = subprocess.run([program, *words, "--db", database, "--json"], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)
            times[name].append((time.perf_counter() - start) * 1000)
            if done.returncode not in (0, 3, 4):
                raise SystemExit(f"{words} ended with status {done.returncode}")
        rounds += 1
        time.sleep(0.5)
    return times


def ask_side_by_side(options, until):
    """Milliseconds of each question, of all askers together."""
    asked = questions(options.releases)
    with concurrent.futures.ThreadPoolExecutor(options.askers) as pool:
        found = list(pool.map(lambda _: ask(options.program, options.db, asked, until), range(options.askers)))
    return {name: median([time_ for times in found for time_ in times[name]]) for name, _ in asked}


def phase(options, process, rate):
    pathlib.Path(f"/proc/{process.pid}/clear_refs").write_text("5")
    watch = LogWatch(options.db)
    watch.start()
    results, before, begin = multiprocessing.Queue(), written(process), time.perf_counter()
    if rate:
        sender = multiprocessing.Process(target=send, args=(rate, options.db, options.seconds, results, options.updates))
        sender.start()
        # The first seconds are not those of a rollout under way.
        time.sleep(min(10, options.seconds / 4))
    row = ask_side_by_side(options, begin + (options.seconds if rate else 5) - 2)
    if rate:
        latencies, refused, sent, took = results.get()
        sender.join()
        latencies.sort()
        time.sleep(2)
        row["written per event"] = (written(process) - before) / sent
        row["answers p99 / max"] = (latencies[int(len(latencies) * 0.99)] * 1000, latencies[-1] * 1000)
        row["events per second"], row["refused"] = sent / took, refused
    watch.is_done = True
    watch.join()
    row["resident memory, peak"], row["write-ahead log"] = peak(process), watch.longest / 2**20
    return row


def number(value):
    if value is None:
        return "–"
    if isinstance(value, tuple):
        return " / ".join(number(one) for one in value)
    return f"{value:,.0f}"


UNITS = {"written per event": "bytes", "answers p99 / max": "ms", "resident memory, peak": "MB", "write-ahead log": "MB"}


def text(rates, rows):
    names = list(dict.fromkeys(name for row in rows for name in row))
    lines = ["| | " + " | ".join("quiet" if rate == 0 else f"{rate:,}/s" for rate in rates) + " |",
             "|---|" + "--:|" * len(rates)]
    for name in names:
        unit = UNITS.get(name, "ms" if name.startswith("`") else "")
        cells = " | ".join(number(row.get(name)) for row in rows)
        lines.append(f"| {name}{', ' + unit if unit else ''} | {cells} |")
    return "\n".join(lines)


def measure(options):
    process = subprocess.Popen(
        [options.program, "serve", "--db", options.db, "--listen", f"127.0.0.1:{PORT}"], stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL)
    process.stdout.readline()
    rows = []
    try:
        for rate in options.rates:
            if rate and not any(options.rates[:len(rows)]):
                # What a service does once after its start, such as a summary of everything, is charged to no rate.
                send(rate, options.db, options.settle, queue.SimpleQueue(), options.updates)
            # Nor what an earlier phase left to do to the next.
            time.sleep(5)
            rows.append(phase(options, process, rate))
            print(json.dumps({"rate": rate, **rows[-1]}), file=sys.stderr)
    finally:
        process.terminate()
        process.wait()
    return rows


def generated(devices, releases):
    """A database whose newest release is two days old; one of yesterday is made anew."""
    path = WORK / f"live-{devices}-{releases}.db"
    WORK.mkdir(parents=True, exist_ok=True)
    if not path.exists() or time.time() - path.with_suffix(".db.running").stat().st_mtime > 86_400:
        for old in WORK.glob(path.name + "*"):
            old.unlink()
        subprocess.run([BUILD / "bench-generate", path, "--devices", str(devices), "--releases", str(releases),
                        "--until-now"], check=True, stdout=subprocess.DEVNULL)
    return str(path)


def devices(size):
    """Such as 1 M or 100,000."""
    return int(size.replace(",", "").replace("M", "000000").replace(" ", ""))


def releases(devices):
    """Ten million devices of twenty releases take some 70 GB and hours to make."""
    return 20 if devices < 10_000_000 else 2


def section(options):
    """The section of the table that `make bench` writes."""
    seconds = options.seconds * 12
    options = argparse.Namespace(
        sizes=[devices(size) for size in options.live_sizes.split(",")], releases=None, rates=[0, 100, 2000, 20_000], seconds=seconds,
        updates=0, askers=1, settle=seconds, program=str(UPTAKE))
    return "\n\n".join(f"### While events come in: {size:,} devices\n\n{table}" for size, table in grow(options))


def grow(options):
    """A table for each size of the fleet, and the picture of them all where there are several."""
    found = {}
    for size in options.sizes:
        one = argparse.Namespace(**vars(options) | {"releases": options.releases or releases(size)})
        one.db = generated(size, one.releases)
        rows = measure(one)
        found[size] = dict(zip(options.rates, rows))
        yield size, text(options.rates, rows)
    if len(found) > 1:
        pathlib.Path(__file__).with_name("live.svg").write_text(growth.picture(found))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--devices", type=int, default=1_000_000)
    parser.add_argument("--releases", type=int, help="of a fleet that is made; 20, and 2 from ten million devices on")
    parser.add_argument("--rates", type=lambda text: [int(one) for one in text.split(",")], default=[0, 100, 2000, 20_000])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--updates", type=float, default=0)
    parser.add_argument("--askers", type=int, default=1)
    parser.add_argument("--settle", type=float, default=60)
    parser.add_argument("--db")
    parser.add_argument("--program", default=str(UPTAKE))
    parser.add_argument("--sizes", type=lambda text: [devices(one) for one in text.split(",")], help="such as '100000,1 M,10 M'")
    options = parser.parse_args()
    if options.sizes:
        for size, table in grow(options):
            print(f"### {size:,} devices\n\n{table}\n", flush=True)
        return
    options.releases = options.releases or releases(options.devices)
    options.db = options.db or generated(options.devices, options.releases)
    print(text(options.rates, measure(options)))


if __name__ == "__main__":
    main()
