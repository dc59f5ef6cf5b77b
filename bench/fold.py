"""The fold alone: events that lie in the table, all of them waiting, into journeys, devices, trails and wake-ups."""
import shutil

from measure import BUILD, WORK, Row, median, remove, run, table

GENERATE = BUILD / "bench-generate"
# Devices and releases; a large fleet is the harder one, for each of its events touches another device.
FLEETS = {"1 M devices": (1_000_000, 3), "100,000 devices": (100_000, 20)}


def prepare(devices, releases):
    """A database whose events wait, made once."""
    path = WORK / f"unfolded-{devices}.db"
    if not path.exists():
        run([GENERATE, path, "--devices", devices, "--releases", releases, "--no-fold"])
    return path


def section(options):
    rows = []
    for name, (devices, releases) in FLEETS.items():
        source, runs = prepare(devices, releases), []
        for _ in range(options.rounds):
            remove("fold.db")
            for ending in ("", "-wal"):
                if source.with_name(source.name + ending).exists():
                    shutil.copy(source.with_name(source.name + ending), WORK / f"fold.db{ending}")
            runs.append(run([GENERATE, "fold.db", "--only-fold", "--no-summary"]))
        remove("fold.db")
        events = int(runs[0].output.split("folded ")[1].split()[0])
        speed = median(events / one.seconds for one in runs)
        processor = median(one.processor for one in runs) / events
        notes = (f"{1 / processor / 1e6:.2f} M", f"{processor * 1e6:.2f}", f"{max(one.peak for one in runs)}")
        rows.append(Row(name, f"{events / 1e6:.1f} M events, on all cores", speed, speed, notes))
    notes = ("a second of processor time", "processor µs an event", "peak MB")
    return "### Fold (events/s)\n\n" + table(rows, "of ours", *notes)
