"""HTTP ingest under load, each answer after its sync, beside the same server answering without storing anything."""
import json
import os
import resource
import signal
import sqlite3
import subprocess
import time

from measure import ROOT, UPTAKE, WORK, Row, median, rate, remove, table

PORT = 9788
SHAPES = [(1, 64), (1, 128), (1, 256), (100, 64), (500, 64)]


def body(batch):
    path = WORK / f"body-{batch}.json"
    path.write_bytes(subprocess.run(["python3", ROOT / "bench" / "body.py", str(batch)], stdout=subprocess.PIPE,
                                    check=True).stdout)
    return path


def serve():
    remove("serve.db")
    process = subprocess.Popen([UPTAKE, "serve", "--db", "serve.db", "--listen", f"127.0.0.1:{PORT}"], cwd=WORK,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if not process.stdout.readline():
        raise SystemExit(f"the service did not begin: does another one listen on port {PORT}?")
    return process


def status(process, field):
    for line in open(f"/proc/{process.pid}/status"):
        if line.startswith(field):
            return int(line.split()[1])
    raise SystemExit(f"no {field}")


def processor_seconds(process):
    fields = open(f"/proc/{process.pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def children_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def load(connections, seconds, *rest):
    arguments = [WORK / "load", "-p", PORT, "-c", connections, "-d", seconds, *rest]
    before = children_seconds()
    done = subprocess.run([str(one) for one in arguments], capture_output=True, text=True, check=True)
    answers = json.loads(done.stdout)
    answers["generator"] = (children_seconds() - before) / answers["requests"]
    if answers["non2xx"] or answers["errors"]:
        raise SystemExit(f"the service refused: {done.stdout}")
    return answers


def stop(process, events):
    """Every event that was answered is in the file."""
    process.send_signal(signal.SIGTERM)
    if process.wait(120):
        raise SystemExit("the service did not end well")
    stored = sqlite3.connect(WORK / "serve.db").execute("SELECT count(*) FROM event").fetchone()[0]
    if stored < events:
        raise SystemExit(f"{events} events were acknowledged, {stored} are stored")


def round_of(batch, connections, seconds):
    process = serve()
    try:
        empty = load(connections, 1, "/healthz")
        before = processor_seconds(process)
        answers = load(connections, seconds, "-H", "Content-Type: application/json", "-b", body(batch), "/v1/events")
        answers["processor"] = (processor_seconds(process) - before) / answers["requests"] / batch
        answers["peak"] = status(process, "VmHWM") // 1024
        answers["empty"] = empty["requestsPerSecond"]
        stop(process, answers["requests"] * batch)
    finally:
        process.kill()
    return answers


def row(shape, runs):
    def middle(value):
        return median(value(one) for one in runs)

    batch, connections = shape
    notes = (f"{middle(lambda one: one['latencyMs']['p50']):.1f} / {middle(lambda one: one['latencyMs']['p99']):.1f}",
             f"{middle(lambda one: one['processor']) * 1e6:.1f}", reachable(batch, middle), f"{max(one['peak'] for one in runs)}")
    what = "single events" if batch == 1 else f"batches of {batch}"
    return Row(what, f"{connections} connections", middle(lambda one: one["requestsPerSecond"]) * batch,
               middle(lambda one: one["empty"]), notes)


def reachable(batch, middle):
    """What the cores would do with service and generator alone on them: from processor time, not from the clock."""
    return rate(os.cpu_count() / (middle(lambda one: one["processor"]) + middle(lambda one: one["generator"]) / batch))


def section(options):
    runs = {}
    for _ in range(options.rounds):
        for shape in SHAPES:
            runs.setdefault(shape, []).append(round_of(*shape, options.seconds))
    remove("serve.db")
    rows = [row(shape, all_runs) for shape, all_runs in runs.items()]
    return "### HTTP ingest (events/s)\n\n" + table(
        rows, "of empty requests", "p50 / p99 ms", "processor µs an event", "by processor time", "peak MB")
