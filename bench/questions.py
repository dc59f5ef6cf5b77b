"""Questions at a hundred million events, beside databases that are asked for much less of them.

Ours is the whole program: start, reading, survival analysis, JSON. The peers are asked over an open connection, warm, for
the counts or quantiles of first applies alone: nobody is censored, nobody was unreachable, nothing has an interval.
"""
import json
import subprocess

from imports import VENV, make_venv
from measure import BUILD, UPTAKE, WORK, Row, median, run

APP, RELEASE, WEEK, START = "com.example.fleet", 10, 604_800_000, 1_735_689_600_000
# Devices and releases by the size's name.
SIZES = {"1 M": (100_000, 3), "10 M": (1_000_000, 3), "100 M": (1_000_000, 20)}

COUNT = """SELECT m, sum(n) OVER (ORDER BY m) FROM (SELECT first / 60000 {div} AS m, count(*) AS n FROM
  (SELECT min(t) AS first FROM event WHERE release = {release} AND stage = 8 GROUP BY device) AS f GROUP BY 1) AS g"""
DUCK = {
    "count": COUNT.format(release="{release}", div="//1").replace("first / 60000 //1", "first // 60000"),
    "quantiles": """SELECT quantile_cont(first, [0.1, 0.5, 0.9]) FROM
      (SELECT min(t) AS first FROM event WHERE release = {release} AND stage = 8 GROUP BY device) AS f""",
    "all": """SELECT release, quantile_cont(first, [0.1, 0.5, 0.9]) FROM
      (SELECT release, min(t) AS first FROM event WHERE stage = 8 GROUP BY release, device) AS f GROUP BY release""",
}
CHDB = {
    "count": DUCK["count"].replace("first // 60000", "intDiv(first, 60000)"),
    "quantiles": DUCK["quantiles"].replace("quantile_cont(first, [0.1, 0.5, 0.9])", "quantilesExact(0.1, 0.5, 0.9)(first)"),
    "all": DUCK["all"].replace("quantile_cont(first, [0.1, 0.5, 0.9])", "quantilesExact(0.1, 0.5, 0.9)(first)"),
}
REDUCED = {
    "count": """SELECT m, sum(n) OVER (ORDER BY m) FROM (SELECT first // 60000 AS m, count(*) AS n FROM applied
      WHERE release = {release} GROUP BY 1) AS g""",
    "quantiles": "SELECT quantile_cont(first, [0.1, 0.5, 0.9]) FROM applied WHERE release = {release}",
    "all": "SELECT release, quantile_cont(first, [0.1, 0.5, 0.9]) FROM applied GROUP BY release",
}

# The events sorted by release and stage, as somebody would who asks by them; integers of the right width.
DUCKDB_LOAD = """
import duckdb, sys
base = duckdb.connect(sys.argv[1], config={"threads": 2, "memory_limit": "6GB"})
base.execute("CREATE TABLE event AS SELECT * FROM read_csv('%s', header=false, columns={'t': 'BIGINT', "
             "'device': 'UBIGINT', 'release': 'UTINYINT', 'stage': 'UTINYINT', 'trigger': 'UTINYINT', "
             "'platform': 'UTINYINT', 'version': 'UTINYINT'})" % sys.argv[2])
base.execute("CREATE TABLE applied AS SELECT release, device, min(t) AS first FROM event WHERE stage = 8 "
             "GROUP BY release, device ORDER BY release")
base.execute("CHECKPOINT")
"""
CHDB_LOAD = """
import sys
from chdb import session
base = session.Session(sys.argv[1])
base.query("CREATE DATABASE IF NOT EXISTS b ENGINE = Atomic")
base.query("CREATE TABLE b.event (t Int64, device UInt64, release UInt8, stage UInt8, trigger UInt8, platform UInt8, "
           "version UInt8) ENGINE = MergeTree ORDER BY (release, stage, device)")
base.query("INSERT INTO b.event SELECT * FROM file('%s', 'CSV', 't Int64, device UInt64, release UInt8, stage UInt8, "
           "trigger UInt8, platform UInt8, version UInt8') SETTINGS max_threads = 2" % sys.argv[2])
base.close()
"""
SQLITE_LOAD = """
import csv, sqlite3, sys
base = sqlite3.connect(sys.argv[1], isolation_level=None)
base.execute("PRAGMA journal_mode = OFF")
base.execute("CREATE TABLE applied (release INTEGER, device INTEGER, first INTEGER, PRIMARY KEY (release, device)) "
             "WITHOUT ROWID")
base.execute("BEGIN")
rows = ((int(r[2]), int(r[1]), int(r[0])) for r in csv.reader(open(sys.argv[2])) if r[3] == "8")
base.executemany("INSERT INTO applied VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET first = min(first, excluded.first)", rows)
base.execute("CREATE INDEX by_time ON applied (release, first)")
base.execute("COMMIT")
"""
ASK = """
import json, sys, time
kind, path, queries, rounds = sys.argv[1], sys.argv[2], json.loads(sys.argv[3]), int(sys.argv[4])
if kind == "duckdb":
    import duckdb
    base = duckdb.connect(path, read_only=True, config={"threads": 2})
    ask = lambda text: base.execute(text).fetchall()
elif kind == "sqlite":
    import sqlite3
    base = sqlite3.connect(path)
    base.execute("PRAGMA mmap_size = 100000000000")
    ask = lambda text: base.execute(text).fetchall()
else:
    from chdb import session
    base = session.Session(path)
    base.query("USE b")
    ask = lambda text: base.query(text + " SETTINGS max_threads = 2", "CSV").bytes()
found = {}
for name, text in queries.items():
    ask(text)
    found[name] = []
    for _ in range(rounds):
        begin = time.perf_counter()
        ask(text)
        found[name].append(time.perf_counter() - begin)
print(json.dumps(found))
"""


def prepare(size):
    """The database and the peers' tables of a size, made once."""
    devices, releases = SIZES[size]
    name = size.replace(" ", "").lower()
    database, csv = WORK / f"questions-{name}.db", WORK / f"questions-{name}.csv"
    if not database.exists():
        run([BUILD / "bench-generate", database, "--devices", devices, "--releases", releases, "--csv", csv])
    make_venv()
    for kind, code in {"duckdb": DUCKDB_LOAD, "chdb": CHDB_LOAD, "sqlite": SQLITE_LOAD}.items():
        path = WORK / f"questions-{name}.{kind}"
        if not path.exists():
            run([VENV / "python", "-c", code, path, csv])
    return name, releases


def ours(name, releases):
    """The command lines, as a release manager writes them; `now` is after the last event."""
    release = f"2.0.{min(RELEASE, releases - 1)}"
    now = iso(START + releases * WEEK)
    month = ["--since", iso(START + max(0, releases - 5) * WEEK), "--until", now]

    def ask(*words):
        return [UPTAKE, *words, "--db", WORK / f"questions-{name}.db", "--format", "json", "--now", now]

    return {
        "adoption": ask("adoption", release), "time-to-update": ask("time-to-update", release),
        "fresh cut": ask("time-to-update", release, "--by", "appVersion", "--reach-window", "7d"),
        "releases": ask("releases"), "funnel": ask("funnel", release), "failures": ask("failures", release),
        "push": ask("push", release), "wakeups": ask("wakeups", *month),
    }


def iso(milliseconds):
    import datetime
    return datetime.datetime.fromtimestamp(milliseconds / 1000, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def peers(name, releases, rounds):
    release = min(RELEASE, releases - 1)
    found = {}
    asked = {
        ("DuckDB", "duckdb"): DUCK, ("DuckDB, reduced beforehand", "duckdb"): REDUCED, ("chdb", "chdb"): CHDB,
        ("SQLite, reduced beforehand", "sqlite"): {"count": REDUCED["count"].replace("//", "/")},
    }
    for (title, kind), queries in asked.items():
        texts = {what: text.format(release=release) for what, text in queries.items()}
        command = [VENV / "python", "-c", ASK, kind, WORK / f"questions-{name}.{kind}", json.dumps(texts), rounds]
        found[title] = json.loads(run(command).output.splitlines()[-1])
    return found


def measure(size, rounds):
    """Seconds by (who, what), and our peak of memory by question."""
    name, releases = prepare(size)
    seconds, peaks = {}, {}
    for _ in range(rounds):
        for what, command in ours(name, releases).items():
            one = run(command)
            seconds.setdefault(("uptake", what), []).append(one.seconds)
            peaks[what] = max(peaks.get(what, 0), one.peak)
        for title, times in peers(name, releases, 2).items():
            for what, list_of_times in times.items():
                seconds.setdefault((title, what), []).extend(list_of_times)
    return {key: median(times) for key, times in seconds.items()}, peaks


BESIDE = {"adoption": "count", "time-to-update": "quantiles", "fresh cut": "quantiles", "releases": "all"}


def section(options):
    sizes = options.sizes.split(",")
    found = {size: measure(size, options.rounds) for size in sizes}
    seconds, peaks = found[sizes[-1]]
    lines = [f"### Questions, {sizes[-1]} events (milliseconds)", "",
             "| | uptake, all of it | peak MB | " + " | ".join(titles(seconds)) + " | times faster than the fastest |",
             "|---|--:|--:|" + "--:|" * (len(titles(seconds)) + 1)]
    for (who, what), time in seconds.items():
        if who == "uptake":
            lines.append(line(what, time, peaks[what], seconds))
    lines += ["", "![cost against size](questions.svg)", "", *growth(found)]
    (WORK.parent.parent / "bench" / "questions.svg").write_text(picture(found))
    return "\n".join(lines)


def titles(seconds):
    return list(dict.fromkeys(who for who, _ in seconds if who != "uptake"))


def line(what, time, peak, seconds):
    beside = [seconds.get((who, BESIDE.get(what))) for who in titles(seconds)]
    # Tables reduced beforehand are like our journeys, but somebody must keep them up to date.
    raw = [other for who, other in zip(titles(seconds), beside) if other and "reduced" not in who]
    cells = [f"{other * 1000:.0f}" if other else "" for other in beside]
    ratio = f"{min(raw) / time:.1f}" if raw else ""
    return f"| {what} | {time * 1000:.0f} | {peak} | " + " | ".join(cells) + f" | {ratio} |"


def growth(found):
    lines = ["| uptake | " + " | ".join(found) + " |", "|---|" + "--:|" * len(found)]
    for what in next(iter(found.values()))[1]:
        lines.append(f"| {what} | " + " | ".join(f"{seconds['uptake', what] * 1000:.0f} ms"
                                                 for seconds, _ in found.values()) + " |")
    return lines


def picture(found):
    """Cost against size, both logarithmic: ours and the fastest peer for the same release."""
    import math
    width, height, left, top = 560, 300, 70, 20
    series = {("uptake", "adoption"): "#0b6e4f", ("uptake", "releases"): "#3aa17e", ("DuckDB", "count"): "#c9a100",
              ("chdb", "count"): "#c4571b", ("DuckDB", "all"): "#8a6d00", ("chdb", "all"): "#8a3c12"}
    sizes = list(found)

    def place(index, seconds):
        x = left + index * (width - left - 150) / max(len(sizes) - 1, 1)
        y = top + (1 - (math.log10(max(seconds, 1e-3)) + 3) / 4.5) * (height - 2 * top)
        return f"{x:.0f},{y:.0f}"

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">',
             f'<rect width="{width}" height="{height}" fill="white"/>']
    for seconds in (0.001, 0.01, 0.1, 1, 10):
        y = place(0, seconds).split(",")[1]
        parts.append(f'<text x="{left - 12}" y="{y}" text-anchor="end">{seconds:g} s</text>'
                     f'<path d="M{left},{y}H{width - 150}" stroke="#ddd"/>')
    for index, size in enumerate(sizes):
        parts.append(f'<text x="{place(index, 1).split(",")[0]}" y="{height - 2}" text-anchor="middle">{size}</text>')
    labels = []
    for (who, what), colour in series.items():
        points = [place(i, found[size][0][who, what]) for i, size in enumerate(sizes) if (who, what) in found[size][0]]
        if points:
            x, y = points[-1].split(",")
            parts.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" stroke-width="2"/>')
            labels.append((int(y), int(x) + 6, f"{who}: {what}", colour))
    parts += [f'<text x="{x}" y="{y}" fill="{colour}">{text}</text>' for y, x, text, colour in apart(labels)]
    return "\n".join(parts + ["</svg>", ""])


def apart(labels):
    """From top to bottom, a line's height or more between two of them."""
    placed = []
    for y, *rest in sorted(labels):
        placed.append((max(y, placed[-1][0] + 13) if placed else y, *rest))
    return placed
