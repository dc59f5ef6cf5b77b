"""A run that is killed loses nothing, and what it repeats is recognised."""
import collections
import random
import signal
import subprocess
import time

from fleet import PROGRAM, FleetTest, instant
from receiver import Receiver

ROUNDS = 25


class Kill(FleetTest):
    def test_nothing_is_lost_and_nothing_counts_twice(self):
        """SIGKILL at any moment of a run, again and again, until nothing is left to send."""
        chance = random.Random(5)
        receiver = Receiver(lambda request: (time.sleep(0.02), (200, {}, "{}"))[1])
        self.addCleanup(receiver.close)
        fleet = self.fleet(instant(), channels=("production", "beta", "nightly"), devices=210)
        words = [PROGRAM, "export", "newrelic", "--db", fleet.database, "--to", receiver.place, "--account", "1",
                 "--only", "published,step,verdict,failuresRising", "--now", fleet.at(0), "--send"]
        kills = 0
        for _ in range(ROUNDS):
            process = subprocess.Popen(words, env={"NEW_RELIC_LICENSE_KEY": "k"}, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE)
            seen = len(receiver.requests)
            # Mostly while requests are under way: some answers come, some are waited for, some are not yet stored.
            end = time.monotonic() + 30
            wanted = seen + chance.randrange(0, 3)
            while process.poll() is None and len(receiver.requests) < wanted and time.monotonic() < end:
                time.sleep(0.001)
            time.sleep(chance.random() * 0.03)
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                kills += 1
            process.communicate()
        last = subprocess.run(words, env={"NEW_RELIC_LICENSE_KEY": "k"}, capture_output=True, text=True)
        self.assertEqual(last.returncode, 0, last.stderr)
        self.assertGreater(kills, 5)
        # What arrived, by the id that a receiver tells facts apart by.
        facts = collections.defaultdict(list)
        for request in receiver.requests:
            for event in request.json:
                facts[event["fact"]].append({name: value for name, value in event.items()})
        told = fleet.told("id", "outcome", "attempts")
        self.assertEqual({row["id"] for row in told}, set(facts), "lost, or never noted")
        self.assertEqual({row["outcome"] for row in told}, {"sent"})
        for fact, copies in facts.items():
            self.assertTrue(all(copy == copies[0] for copy in copies), "a repeat says the same")
        repeats = sum(len(copies) - 1 for copies in facts.values())
        self.assertLessEqual(repeats, kills, "only what was in doubt is repeated")
        before = len(receiver.requests)
        subprocess.run(words, env={"NEW_RELIC_LICENSE_KEY": "k"}, check=True, capture_output=True)
        self.assertEqual(len(receiver.requests), before)
