"""Import of a file of events, beside raw SQLite and two analytical databases that read the same file."""
import subprocess

from measure import UPTAKE, WORK, Row, median, remove, run, table

VENV = WORK / "venv" / "bin"
FIELDS = {
    "device": "text", "app": "text", "platform": "text", "osVersion": "text", "appVersion": "text",
    "sdkVersion": "text", "bucket": "number", "arm": "text", "id": "text", "stage": "text", "trigger": "text",
    "at": "text", "release": "text", "network": "text", "received": "number", "sentAt": "text", "outcome": "text",
    "durationMs": "number", "reason": "text", "push": "text", "appState": "text", "appIsStarting": "truth",
    "bytes": "number", "from": "text", "channel": "text",
}

# Every column by name and type, so that no peer has to guess; two threads; closed and synced at the end.
DUCKDB = """
import duckdb, sys
types = {"text": "VARCHAR", "number": "BIGINT", "truth": "BOOLEAN"}
columns = "{" + ", ".join("'%s': '%s'" % (name, types[kind]) for name, kind in FIELDS.items()) + "}"
base = duckdb.connect("peer.duckdb", config={"threads": 2})
base.execute("SET preserve_insertion_order = false")
base.execute("CREATE TABLE event AS SELECT * FROM read_json('%s', format='newline_delimited', columns=%s)"
             % (sys.argv[1], columns))
base.execute("CHECKPOINT")
print(base.execute("SELECT count(*) FROM event").fetchone()[0])
"""
CHDB = """
import sys
from chdb import session
types = {"text": "LowCardinality(String)", "number": "Nullable(Int64)", "truth": "Nullable(Bool)"}
unique = {"device", "id", "push", "at", "sentAt"}
columns = ", ".join("`%s` %s" % (name, "String" if name in unique else types[kind]) for name, kind in FIELDS.items())
base = session.Session("peer.chdb")
base.query("CREATE DATABASE IF NOT EXISTS b ENGINE = Atomic")
base.query("CREATE TABLE b.event (%s) ENGINE = MergeTree ORDER BY (app, device, at) "
           "SETTINGS fsync_after_insert = 1" % columns)
base.query("INSERT INTO b.event SELECT * FROM file('%s', 'JSONEachRow', '%s') SETTINGS max_threads = 2, "
           "max_insert_threads = 2, input_format_parallel_parsing = 1" % (sys.argv[1], columns.replace("'", "\\\\'")))
print(str(base.query("SELECT count() FROM b.event", "CSV")).strip())
base.close()
"""


def make_venv():
    if not (VENV / "python").exists():
        subprocess.run(["python3", "-m", "venv", VENV.parent], check=True)
    code = "import duckdb, chdb"
    if subprocess.run([VENV / "python", "-c", code], capture_output=True).returncode:
        subprocess.run([VENV / "pip", "install", "--quiet", "duckdb", "chdb"], check=True)


def versions():
    code = "import duckdb, importlib.metadata as m; print('DuckDB', duckdb.__version__ + ', chdb', m.version('chdb'))"
    make_venv()
    return subprocess.run([VENV / "python", "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def make_events(count):
    """A simulated fleet of nine days, repeated by no device, cut to the number of events."""
    path = WORK / f"events-{count}.ndjson"
    if not path.exists():
        devices = max(200, count // 85)
        fleet = [UPTAKE, "simulate", "--devices", devices, "--days", 9, "--out", "-", "--quiet"]
        with open(path, "wb") as file:
            source = subprocess.Popen([str(part) for part in fleet], stdout=subprocess.PIPE)
            subprocess.run(["head", "-n", str(count)], stdin=source.stdout, stdout=file, check=True)
            source.stdout.close()
            source.wait()
    return path


def competitors(path, count):
    def peer(code):
        return [VENV / "python", "-c", f"FIELDS = {FIELDS}\n{code}", path]

    return {
        "uptake import: checked, de-duplicated, synced, folded": [UPTAKE, "import", path, "--db", "import.db", "-q"],
        "SQLite alone: the same columns, 64 rows a statement": [WORK / "insert", "raw.db", count],
        "DuckDB `read_json` into a table": peer(DUCKDB),
        "chdb `JSONEachRow` into MergeTree": peer(CHDB),
    }


def section(options):
    make_venv()
    path = make_events(options.events)
    events = sum(chunk.count(b"\n") for chunk in iter(lambda file=open(path, "rb"): file.read(1 << 20), b""))
    runs = {}
    for _ in range(options.rounds):
        for name, command in competitors(path, events).items():
            remove("import.db", "raw.db", "peer.")
            runs.setdefault(name, []).append(run(command))
    ours = median(events / one.seconds for one in next(iter(runs.values())))
    rows = []
    for name, all_runs in runs.items():
        speed = median(events / one.seconds for one in all_runs)
        notes = (f"{median(one.processor for one in all_runs) / events * 1e6:.2f}", f"{max(one.peak for one in all_runs)}")
        rows.append(Row(f"{events / 1e6:.2f} M events", name, speed, ours, notes))
    remove("import.db", "raw.db", "peer.")
    return "### Import (events/s)\n\n" + table(rows, "of ours", "processor µs an event", "peak MB")
