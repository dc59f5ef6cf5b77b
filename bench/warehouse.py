"""Shipping to ClickHouse, and the same questions asked of the file and of the warehouse: one server on this machine."""
import json
import os
import sys

from imports import make_events
from measure import ROOT, UPTAKE, Row, median, remove, run, table

sys.path.insert(0, str(ROOT / "Tests" / "Warehouse"))
from cluster import PASSWORD, Cluster  # noqa: E402

# After all events of the fleet, so that tallies hold.
NOW = "2025-07-02T00:00:00Z"
FILE = "shipped.db"
# Those of whose tallies a warehouse keeps some, and those that read devices there every time.
KEPT, READ = (["releases"], ["adoption"], ["time-to-update"]), (["channels"], ["failures"], ["funnel"], ["mechanisms"], ["push"])


def ship(options, cluster, events):
    """Rows of the shipping rate, each round into a database of its own; answers the address of the last."""
    runs = []
    for number in range(options.rounds):
        address = cluster.address(f"bench{number}")
        run([UPTAKE, "warehouse", "init", "--db", address, "-q"])
        runs.append(run([UPTAKE, "ship", "--db", FILE, "--to", address, "-q"]))
    speed = median(events / one.seconds for one in runs)
    processor = median(one.processor for one in runs) / events
    row = Row(f"{events / 1e6:.2f} M events", "uptake ship, batches of 200,000", speed, speed,
              (f"{processor * 1e6:.2f}", f"{max(one.peak for one in runs)}"))
    return [row], address


def ask(options, place, words):
    runs = [run([UPTAKE, *words, "--json", "--now", NOW, "--db", place, "-q"], (0, 6)) for _ in range(options.rounds)]
    return median(one.seconds for one in runs), runs[0].output


def asked():
    """About the release that most devices have."""
    rows = json.loads(run([UPTAKE, "releases", "--json", "--now", NOW, "--db", FILE, "-q"]).output)["data"]
    release = max(rows, key=lambda row: (row.get("eligible") or 0, row["release"]))["release"]
    about = {"adoption", "time-to-update", "failures", "funnel", "mechanisms"}
    return [(words + ([release] if words[0] in about else []), words in KEPT) for words in (*KEPT, *READ)]


def compare(options, address):
    """A line for each question: seconds of the file, of the warehouse's devices, of the tallies that it keeps."""
    questions = asked()
    file = [ask(options, FILE, words) for words, _ in questions]
    devices = [ask(options, address, words) for words, _ in questions]
    run([UPTAKE, "warehouse", "refresh", "--db", address, "-q"])
    kept = [ask(options, address, words) if is_kept else None for words, is_kept in questions]
    lines = ["| question | file, s | warehouse, devices read, s | warehouse, tallies kept, s |", "|---|--:|--:|--:|"]
    for (words, _), one, *others in zip(questions, file, devices, kept):
        for other in filter(None, others):
            if other[1] != one[1]:
                raise SystemExit(f"{' '.join(words)}: the warehouse has another answer than the file")
        cells = [f"{one[0]:.2f}"] + [f"{other[0]:.2f}" if other else "–" for other in others]
        lines.append(f"| `{' '.join(words)}` | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def section(options):
    os.environ["UPTAKE_WAREHOUSE_PASSWORD"] = PASSWORD
    path = make_events(options.events)
    remove(FILE)
    run([UPTAKE, "import", path, "--db", FILE, "-q"], (0, 6))
    with Cluster(1, 1) as cluster:
        events = options.events
        rows, address = ship(options, cluster, events)
        text = compare(options, address)
    remove(FILE)
    return ("### Warehouse, one server on the same machine (events/s)\n\n"
            + table(rows, "of ours", "processor µs an event, of ours", "peak MB, of ours")
            + "\n\nAnswers of file and warehouse are equal to the byte.\n\n" + text)
