"""Shipping to ClickHouse, and the same questions asked of the file and of the warehouse: one server on this machine."""
import json
import os
import sys

from measure import BUILD, ROOT, UPTAKE, WORK, Row, median, run, table

sys.path.insert(0, str(ROOT / "Tests" / "Warehouse"))
from cluster import PASSWORD, Cluster  # noqa: E402

# Devices and releases of the databases.
SIZES = {"1 M": (100_000, 3), "10 M": (110_000, 20), "90 M": (1_000_000, 20)}
START, WEEK = 1_735_689_600, 604_800
# Whose tallies a warehouse keeps.
KEPT = ("releases", "adoption", "time-to-update", "funnel", "failures", "mechanisms", "push", "wakeups")
# Those about no release.
WHOLE = ("releases", "push", "wakeups")
# Tallies answer in so little time that many rounds cost nothing.
KEPT_ROUNDS = 20


def prepare(size):
    """The file of a size, made once."""
    devices, releases = SIZES[size]
    path = WORK / f"warehouse-{size.replace(' ', '').lower()}.db"
    if not path.exists():
        run([BUILD / "bench-generate", path, "--devices", devices, "--releases", releases])
    return path


def processor(process):
    """Seconds of a process that runs on."""
    fields = open(f"/proc/{process.pid}/stat", encoding="ascii").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def received():
    """Bytes that went over loopback since the machine started."""
    for line in open("/proc/net/dev", encoding="ascii"):
        name, numbers = line.split(":") if ":" in line else ("", "")
        if name.strip() == "lo":
            return int(numbers.split()[0])
    raise SystemExit("there is no loopback interface")


def ship(options, cluster, size):
    """A row of the shipping rate, each round into a database of its own; answers the address of the last."""
    server, runs = cluster.servers[0].process, []
    for number in range(1 if size == "90 M" else options.rounds):
        address = cluster.address(f"bench{size.replace(' ', '')}{number}")
        run([UPTAKE, "warehouse", "init", "--db", address, "-q"])
        before = processor(server)
        one = run([UPTAKE, "ship", "--db", prepare(size), "--to", address, "-q"])
        database = address.rsplit("/", 1)[1]
        runs.append((one, processor(server) - before, int(cluster.servers[0].query(f"SELECT count() FROM {database}.event"))))
    events = runs[0][2]
    speed = median(events / one.seconds for one, _, _ in runs)
    own, theirs = median(one.processor for one, _, _ in runs), median(served for _, served, _ in runs)
    notes = (f"{own / events * 1e6:.2f}", f"{theirs / events * 1e6:.2f}", f"{max(one.peak for one, _, _ in runs)}")
    return Row(f"{events / 1e6:.2f} M events", "node and server on the same cores", speed, events / own, notes), address


class Asked:
    """Seconds of every round, with the answer, and what came over the wire in each."""

    def __init__(self, place, words, now, rounds):
        before = received()
        runs = [run([UPTAKE, *words, "--json", "--now", now, "--db", place, "-q"], (0, 4, 6)) for _ in range(rounds)]
        self.bytes = (received() - before) / rounds
        self.seconds, self.processor = sorted(one.seconds for one in runs), median(one.processor for one in runs)
        self.answer = json.loads(runs[0].output)["data"]

    @property
    def text(self):
        """The median, and what nineteen of twenty rounds stay below: of few rounds the slowest."""
        slow = self.seconds[min(len(self.seconds) - 1, int(len(self.seconds) * 0.95))]
        return f"{median(self.seconds):.2f} / {slow:.2f}"


def questions(size):
    """Command lines about the release before the newest, and an instant after all events, so that tallies hold."""
    import datetime
    releases = SIZES[size][1]
    now = datetime.datetime.fromtimestamp(START + (releases + 1) * WEEK, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return now, [(name, [name] if name in WHOLE else [name, f"2.0.{releases - 2}"]) for name in KEPT]


def compare(options, address, size):
    """A line for each question: of the file, of the warehouse's devices, of the tallies that it keeps."""
    now, lines = questions(size)
    file = {name: Asked(prepare(size), words, now, max(5, options.rounds)) for name, words in lines}
    devices = {name: Asked(address, words, now, options.rounds) for name, words in lines}
    refresh = run([UPTAKE, "warehouse", "refresh", "--db", address, "-q"])
    kept = {name: Asked(address, words, now, KEPT_ROUNDS) for name, words in lines}
    rows = []
    for name, words in lines:
        for other in (devices[name], kept[name]):
            if other.answer != file[name].answer:
                raise SystemExit(f"{' '.join(words)}: the warehouse has another answer than the file")
        per_device = devices[name].bytes / SIZES[size][0]
        rows.append(f"| `{' '.join(words)}`, {size} | {file[name].text} | {devices[name].text} | "
                    f"{kept[name].text} | {per_device:,.0f} |")
    print(f"{size}: tallies took {refresh.seconds:.0f} s", file=sys.stderr)
    return rows


def section(options):
    os.environ["UPTAKE_WAREHOUSE_PASSWORD"] = PASSWORD
    rows, lines = [], []
    with Cluster(1, 1) as cluster:
        for size in options.warehouse_sizes.split(","):
            row, address = ship(options, cluster, size)
            rows.append(row)
            lines += compare(options, address, size)
    head = ("| question | file | warehouse, devices read | warehouse, tallies kept | bytes a device to the asker |\n"
            "|---|--:|--:|--:|--:|\n")
    return ("### Warehouse, one server on the same machine (events/s)\n\n"
            + table(rows, "of what the node alone could", "node, processor µs an event", "server, processor µs an event", "node, peak MB")
            + "\n\nSeconds, p50 / p95; answers of file and warehouse are equal:\n\n" + head + "\n".join(lines))
