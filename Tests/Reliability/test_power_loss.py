"""An answered event is stored also when the power goes: the service's system calls are replayed, the unsynced dropped."""
import os
import random
import shutil
import sqlite3
import time
import unittest

from figures import figures
from fleet import Fleet
from recording import Disk, strace
from service import Client, Gone, SOAK, Service, eventually, in_threads, scaled, scratch

CLIENTS = 3
PAUSE = 3
# Bytes of the database at least, once its log is copied into it.
COPIED = 256 << 10
# Requests of each client before and after the pause.
ROUNDS = int(os.environ.get("UPTAKE_POWER_ROUNDS", scaled(12, 150)))


class Recorded:
    """A life of the service under strace, with who was sent what in which order."""

    def __init__(self, before, after, *options):
        self.log = scratch() / "calls"
        self.fleet = Fleet(batch=100, devices=20_000)
        self.batches = {}
        self.service = Service("--fold-after", "50ms", "--reserve", "0", *options, prefix=strace(self.log))
        threads = in_threads(CLIENTS, lambda _: self.talk(before, after))
        for thread in threads:
            thread.join(300)
        self.directory = self.service.directory
        # An orderly end would sync everything: the power goes before it.
        self.service.kill()

    def talk(self, before, after):
        client = Client(self.service.port)
        batches = self.batches.setdefault(client.socket.getsockname()[1], [])
        for rounds in (before, after):
            for _ in range(rounds):
                numbers = self.fleet.take()
                batches.append(numbers)
                self.fleet.send(client, numbers)
            if after:
                self.rest()

    def rest(self):
        """In a pause the whole log is copied into the database, however slow the machine is; what comes next overwrites it."""
        eventually(lambda: os.path.getsize(self.service.database) > COPIED)
        time.sleep(PAUSE)

    def moments(self):
        """The disk and the numbers that are answered, at each answer."""
        disk, answered, next_batch = Disk(self.directory), set(), {}
        for _, peer, data in disk.calls(self.log):
            if peer not in self.batches or not data.startswith(b"HTTP/1.1 200"):
                continue
            place = next_batch.get(peer, 0)
            answered |= set(self.batches[peer][place])
            next_batch[peer] = place + 1
            yield disk, answered
        self.disk = disk


def lost(disk, answered, chance=None):
    """Which answered numbers the disk does not hold after SQLite's recovery."""
    target = scratch()
    try:
        disk.image(target, chance)
        if not os.path.exists(target / "uptake.db"):
            return set(answered)
        connection = sqlite3.connect(target / "uptake.db")
        try:
            assert connection.execute("PRAGMA quick_check").fetchall() == [("ok",)]
            stored = {row[0] for row in connection.execute("SELECT duration FROM event")}
        except sqlite3.OperationalError as error:
            assert "no such table" in str(error), error
            return set(answered)
        finally:
            connection.close()
        return answered - stored
    finally:
        shutil.rmtree(target)


class PowerLoss(unittest.TestCase):
    def test_every_answered_event_is_there_whatever_was_not_synced(self):
        recorded, chance = Recorded(ROUNDS, ROUNDS), random.Random(7)
        moments = cases = 0
        for disk, answered in recorded.moments():
            moments += 1
            # In the short form every second, and the worst case and a random one in turn.
            for source in (None, chance) if SOAK else [(None, chance)[moments // 2 % 2]] if moments % 2 == 0 else []:
                cases += 1
                self.assertEqual(lost(disk, answered, source), set(), f"at answer {moments}")
        self.assertEqual(moments, sum(map(len, recorded.batches.values())), "every answer was seen")
        written = recorded.disk.durable[str(recorded.service.database)]
        self.assertGreater(len(written), COPIED, "no checkpoint was recorded")
        figures(power={"answers": moments, "losses of power": cases, "answered": len(recorded.fleet.acknowledged), "lost": 0})
        recorded.service.end()

    def test_the_replay_sees_what_a_missing_sync_would_lose(self):
        recorded = Recorded(8, 0, "--durability", "normal")
        losses = sum(1 for disk, answered in recorded.moments() if lost(disk, answered))
        self.assertGreater(losses, 0, "without a sync for each commit the replay must find losses")
        recorded.service.end()


if __name__ == "__main__":
    unittest.main()
