"""Compares what is folded with a fresh fold of the same events."""
import sqlite3
import subprocess

from service import PROGRAM, Service, read, scratch

TABLES = ["journey", "device", "wake", "trail", "sighting", "lag"]


def settle(directory):
    """A start and an orderly end: everything is folded."""
    service = Service(directory=directory)
    status = service.stop()
    assert status == 0, f"exit {status}: {service.log.read_text()[-500:]}"
    return service.database


def refolded(database):
    """A copy of the database whose folded tables are made anew from its events."""
    directory = scratch()
    copy = directory / "uptake.db"
    source, target = sqlite3.connect(database), sqlite3.connect(copy)
    source.backup(target)
    for table in TABLES:
        target.execute(f"DELETE FROM {table}")
    target.execute("DELETE FROM meta WHERE key = 'folded'")
    target.commit()
    source.close()
    target.close()
    # Another program wrote into the copy.
    subprocess.run([PROGRAM, "doctor", "--renew-checksums", "--db", copy], check=True, capture_output=True)
    return settle(directory)


def differences(database, other):
    """The tables of which two databases hold different rows, with how many rows differ."""
    found = {}
    for table in TABLES:
        one, two = (set(read(path, f"SELECT * FROM {table}")) for path in (database, other))
        if one != two:
            found[table] = len(one ^ two)
    return found
