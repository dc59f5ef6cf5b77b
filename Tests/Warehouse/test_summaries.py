"""Default questions of an unchanged warehouse are answered from tallies that it keeps: to the same byte, in a few requests."""

import json
import time
import unittest

import questions
from cluster import shared
from program import Files, done, run, start
from proxy import Proxy

# Tallies hold for cutoffs after the newest contact.
NOW = "2025-07-02T00:00:00Z"
ASKED = [["releases"], ["adoption", "4.4.0"], ["reach", "4.4.0", "--history", "90d"], ["failures", "4.4.0"], ["funnel", "4.4.0"],
         ["mechanisms", "4.4.0"], ["push"], ["wakeups"]]


def setUpModule():
    global server, files
    server, files = shared().servers[0], Files()
    unittest.addModuleCleanup(files.remove)


def code(ended):
    return json.loads(ended.errors.splitlines()[-1])["code"]


class Summaries(unittest.TestCase):
    """On one server; requests are counted on their way."""

    def setUp(self):
        self.database = "summed_" + self._testMethodName
        self.proxy = Proxy(server.http)
        self.addCleanup(self.proxy.stop)
        self.direct = shared().address(self.database, servers=[server])
        self.address = shared().address(self.database, servers=[self.proxy])
        done("warehouse", "init", "--db", self.direct)
        self.file = files.database(self._testMethodName, files.lines[:-1000])
        self.ship()

    def ship(self):
        done("ship", "--db", self.file, "--to", self.direct)

    def refresh(self):
        done("warehouse", "refresh", "--db", self.direct)

    def reads_devices(self):
        """Whether answers read devices; they are the file's in any case."""
        self.proxy.statements.clear()
        asked = [[*words, "--now", NOW] for words in ASKED]
        self.assertEqual(questions.differences(self.file, self.address, asked), [])
        return any("`contact`" in text for text in self.proxy.statements)

    def tallies(self):
        return json.loads(done("warehouse", "status", "--json", "--db", self.direct).output)["tallies"]

    def test_status(self):
        """Whether tallies hold, since when not, and what is under way."""
        before = self.tallies()
        self.assertEqual((before["state"], before["nodes"]), ("outdated", []))
        self.assertIsNotNone(before["voidSince"])
        self.refresh()
        self.assertEqual(self.tallies(), {"state": "current", "voidSince": None, "nodes": []})
        files.add(self.file, files.lines[-1000:-950])
        self.proxy.harms = ["lose"]
        self.assertEqual(run("ship", "--db", self.file, "--to", self.address).status, 1)
        self.assertEqual((self.tallies()["state"], len(self.tallies()["nodes"])), ("underWay", 1))
        self.ship()
        self.assertEqual(self.tallies()["state"], "outdated")
        server.query(f"INSERT INTO {self.database}.change SELECT node, max(version) + 1, 7, 0, toUnixTimestamp(now()) - 4000"
                     f" FROM {self.database}.change GROUP BY node")
        self.assertEqual(self.tallies()["state"], "outdated", "what was announced an hour ago arrives no more")

    def test_used(self):
        """Until something changes: events, publications, devices that are forgotten."""
        self.assertTrue(self.reads_devices())
        self.refresh()
        self.assertFalse(self.reads_devices())
        self.assertLess(len(self.proxy.statements), 15 * len(ASKED))
        self.ship()
        self.assertFalse(self.reads_devices(), "nothing was to be shipped")
        files.add(self.file, files.lines[-1000:-950])
        self.ship()
        self.assertTrue(self.reads_devices())
        self.refresh()
        self.assertFalse(self.reads_devices())
        done("release", "publish", "4.4.0", "--app", "com.example.demo", "--channel", "another", "--at", "2025-06-20T00:00:00Z",
             "--db", self.file)
        self.ship()
        self.assertTrue(self.reads_devices())
        self.refresh()
        event = next(json.loads(line) for line in files.lines if json.loads(line)["stage"] == "applied")
        done("forget", event["device"], "--app", event["app"], "--yes", "--db", self.file, "--warehouse", self.direct)
        self.assertTrue(self.reads_devices())

    def test_shipping_was_cut_off(self):
        """What is counted while a batch may be half there would be wrong once it is."""
        self.refresh()
        files.add(self.file, files.lines[-1000:-950])
        self.proxy.harms = ["lose"]
        self.assertEqual(run("ship", "--db", self.file, "--to", self.address).status, 1)
        ended = run("warehouse", "refresh", "--wait", "1s", "--db", self.direct)
        self.assertEqual((ended.status, code(ended)), (1, "warehouse_busy"), ended.errors)
        self.assertTrue(self.reads_devices())
        self.ship()
        self.refresh()
        self.assertFalse(self.reads_devices())

    def test_restored_file(self):
        """Its batches have numbers that the warehouse has seen, and other events."""
        copy = files.folder / "before.db"
        done("backup", copy, "--db", self.file)
        files.add(self.file, files.lines[-1000:-500])
        self.ship()
        self.refresh()
        files.add(copy, files.lines[-900:-300])
        done("ship", "--db", copy, "--to", self.direct)
        files.add(self.file, files.lines[-900:-300])
        self.assertTrue(self.reads_devices())

    def test_foreign(self):
        """Tallies of another layout, broken ones, and such of which a part is missing: the devices are read."""
        self.refresh()
        kept = f"{self.database}.summary"
        rows = "app, release, kind, state, version + {}, {}, {}"
        insert = f"INSERT INTO {kept} SELECT {{}} FROM {kept} WHERE release = 0 AND kind = 0"
        head = insert.format(rows.format(1, "token", "replaceOne(body, 'layout', 'custom')"))
        for harm in (head, insert.format(rows.format(2, "token + 1", "body")), insert.format(rows.format(3, "token", "'x'"))):
            with self.subTest(harm):
                server.query(harm)
                self.assertTrue(self.reads_devices())
        server.query(f"TRUNCATE TABLE {kept}")
        self.refresh()
        self.assertFalse(self.reads_devices())


class Cluster(unittest.TestCase):
    """Two shards of two replicas."""

    def test_cluster(self):
        address = shared().address("summed")
        done("warehouse", "init", "--cluster", "main", "--db", address)
        file = files.database("clustered", files.lines[:-3000])
        done("ship", "--db", file, "--to", address)
        # What came a moment ago, however long it takes until one asks.
        changed = "INSERT INTO summed.change SELECT node, max(version) + {}, 7, 1, {} FROM summed.change GROUP BY node"
        shared().servers[0].query(changed.format(1, "toUnixTimestamp(now()) + 300"))
        ended = run("warehouse", "refresh", "--wait", "0s", "--db", address)
        # On a busy machine replicas of tables this young may lack something, too.
        self.assertEqual((ended.status, code(ended) in ("warehouse_busy", "warehouse_behind")), (1, True), ended.errors)
        status = json.loads(done("warehouse", "status", "--json", "--db", address).output)
        self.assertEqual(status["tallies"]["state"], "settling")
        # A while later: replicas that are asked are at most ten seconds behind.
        shared().servers[0].query(changed.format(2, 0))
        done("warehouse", "refresh", "--db", address)
        self.assertGreater(int(shared().servers[0].query("SELECT count() FROM summed.summary")), 3)
        self.assertEqual(questions.differences(file, address, [[*words, "--now", NOW] for words in ASKED]), [])

    def test_replicas_catch_up(self):
        """While none of a shard is known to have all, nothing is counted; once one has, counting goes on by itself."""
        address, (whole, late) = shared().address("lacking"), shared().shards[1]
        done("warehouse", "init", "--cluster", "main", "--db", address)
        late.query("SYSTEM STOP FETCHES")
        self.addCleanup(late.query, "SYSTEM START FETCHES")
        file = files.database("lacking", files.lines[:-3000])
        done("ship", "--db", file, "--to", address)
        whole.kill()
        deadline = time.monotonic() + 180
        # Ten seconds are taken: see docs/decisions/0014-warehouse.md.
        while int(late.query("SELECT min(absolute_delay) FROM system.replicas WHERE database = 'lacking' AND table = 'change_local'")) < 12:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.5)
        ended = run("warehouse", "refresh", "--wait", "0s", "--db", address)
        self.assertEqual((ended.status, code(ended)), (1, "warehouse_behind"), ended.errors)
        counting = start("warehouse", "refresh", "--wait", "5m", "--db", address)
        time.sleep(1)
        self.assertIsNone(counting.poll())
        whole.start()
        self.assertEqual(counting.communicate(timeout=330)[0], "")
        self.assertEqual(counting.returncode, 0)
        shared().settle()


if __name__ == "__main__":
    unittest.main()
