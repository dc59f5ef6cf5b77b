"""Events shipped to two shards of two replicas while all that can go wrong does, and asked for afterwards."""

import contextlib
import json
import re
import sqlite3
import time
import unittest
import urllib.request

import facts
import questions
from cluster import PASSWORD, shared
from program import NOW, Ended, Files, done, run, start
from proxy import Proxy

ASKED = ["time-to-update", "4.4.0", "--now", NOW]
# Seconds that replicas may take to catch up, on a machine that others keep busy.
PATIENCE = 180


def setUpModule():
    global cluster, files
    cluster, files = shared(), Files()
    unittest.addModuleCleanup(files.remove)
    done("warehouse", "init", "--cluster", "main", "--db", cluster.address("fleet"))


def ship(file, address, *more, **options):
    return run("ship", "--batch", 700, "--db", file, "--to", address, *more, **options)


def code(ended):
    return json.loads(ended.errors.splitlines()[-1])["code"]


class Shipping(unittest.TestCase):
    """All of it goes to one warehouse, one test after the other: facts only add up."""

    shipped = []

    def assertHolds(self, *shipped):
        """A replica that was away catches up."""
        Shipping.shipped += [file for file in shipped if file not in Shipping.shipped]
        deadline = time.monotonic() + PATIENCE
        while odd := facts.differences(cluster.servers[0], "fleet", *Shipping.shipped):
            self.assertLess(time.monotonic(), deadline, "\n".join(odd))
            time.sleep(0.3)

    def test_1_harm_on_the_way(self):
        """Answers are lost, bodies are cut, the program is killed amid a batch: in the end all is there, as if once."""
        file, proxy = files.database("one", files.lines[:4000]), Proxy(cluster.servers[0].http)
        address = cluster.address("fleet", servers=[proxy])
        for harm in "lose", "cut", "lose":
            proxy.harms = [harm]
            self.assertEqual(code(ship(file, address)), "warehouse_unreachable")
        proxy.harms = ["wait"]
        killed = start("ship", "--batch", 700, "--db", file, "--to", address)
        self.assertTrue(proxy.held.wait(PATIENCE))
        killed.kill()
        Ended(killed)
        proxy.release()
        self.assertEqual(ship(file, address).status, 0)
        proxy.stop()
        self.assertHolds(file)

    def test_2_once_more_from_the_start(self):
        """As a file does that was restored from a backup."""
        file, count = files.folder / "one.db", "SELECT count() FROM (SELECT DISTINCT * FROM fleet.event)"
        before = cluster.servers[0].query(count)
        with contextlib.closing(sqlite3.connect(file)) as connection:
            changed = connection.execute("UPDATE meta SET value = substr(value, 1, instr(value, ' ')) || '0 0' WHERE key LIKE 'ship %'")
            self.assertEqual(changed.rowcount, 1)
            connection.commit()
        done("doctor", "--renew-checksums", "--db", file)
        self.assertEqual(ship(file, cluster.address("fleet", servers=cluster.servers[:1])).status, 0)
        self.assertEqual(cluster.servers[0].query(count), before)
        self.assertHolds(file)

    def test_3_nodes_with_devices_in_common(self):
        """Two files of one origin, some events at both: a union, and each event once."""
        two, three = files.database("two", files.lines[3500:6000]), files.database("three", files.lines[5500:8000])
        for file in two, three:
            self.assertEqual(ship(file, cluster.address("fleet")).status, 0)
        self.assertHolds(two, three)
        status = json.loads(done("warehouse", "status", "--json", "--db", cluster.address("fleet")).output)
        self.assertEqual(len(status["data"]), 3)

    def test_4_a_replica_is_gone(self):
        """The other one of its shard takes what comes, and another server than the first is asked."""
        cluster.servers[0].kill()
        file = files.database("four", files.lines[8000:9000])
        self.until_shipped(file, cluster.address("fleet"))
        # What the other one of the shard lacks for a moment it cannot say.
        deadline = time.monotonic() + PATIENCE
        while (ended := run(*ASKED, "--db", cluster.address("fleet"))).status:
            self.assertEqual(code(ended), "warehouse_behind", ended.errors)
            self.assertLess(time.monotonic(), deadline, ended.errors)
            time.sleep(0.5)
        cluster.servers[0].start()
        cluster.settle()
        self.assertHolds(file)

    def test_5_a_shard_is_gone(self):
        """An error that names it and no answer in part; what waits goes out when it is back."""
        file, address = files.database("five", files.lines[9000:10000]), cluster.address("fleet", servers=cluster.servers[:2])
        for server in cluster.shards[1]:
            server.kill()
        for ended in ship(file, address), run(*ASKED, "--db", address):
            self.assertEqual((ended.status, ended.output, code(ended)), (1, "", "warehouse_shard_down"))
            self.assertTrue(any(f":{server.tcp})" in ended.errors for server in cluster.shards[1]), ended.errors)
        for server in cluster.shards[1]:
            server.start()
        cluster.settle()
        self.until_shipped(file, address)
        self.assertHolds(file)

    def until_shipped(self, file, address):
        deadline = time.monotonic() + PATIENCE
        while (ended := ship(file, address)).status:
            self.assertLess(time.monotonic(), deadline, ended.errors)
            time.sleep(0.5)

    def test_6_the_keeper_is_gone(self):
        """What comes waits; what is there is answered in whole or not at all."""
        file, address = files.database("six", files.lines[10000:]), cluster.address("fleet")
        cluster.keeper.stop()
        # Nobody knows of a replica without a keeper whether it has all: soon none answers.
        ended = run(*ASKED, "--db", address)
        self.assertTrue(ended.status == 0 or code(ended) == "warehouse_behind", ended.errors)
        ended = ship(file, address)
        self.assertEqual((ended.status, code(ended)), (1, "warehouse_not_writable"), ended.errors)
        cluster.keeper.start()
        cluster.settle()
        self.until_shipped(file, address)
        self.assertHolds(file)

    def test_7_every_question(self):
        """After all that the warehouse answers as one file does that was given every event once."""
        whole, address = files.database("whole", files.lines), cluster.address("fleet")
        asked = [words for words in questions.lines() if words[0] != "breadcrumbs"]
        asked = [[*words, "--now", NOW] for words in [*asked, ["breadcrumbs", questions.device(whole), "--hashed"]]]
        self.assertGreater(len(asked), 10)
        self.assertEqual(questions.differences(whole, address, asked), [])

    def test_8_a_device_is_forgotten(self):
        """On all servers, once the node is told of the warehouse; before, it says that the warehouse still knows."""
        event = next(json.loads(line) for line in files.lines if json.loads(line)["stage"] == "applied")
        words, address = (event["device"], "--app", event["app"], "--yes"), cluster.address("fleet")
        known = done("breadcrumbs", event["device"], "--app", event["app"], "--json", "--db", files.folder / "whole.db")
        device = int(re.search(r'"device":"([0-9a-f]{16})"', known.output)[1], 16)
        self.assertGreater(self.rows(device), 20)
        ended = done("forget", *words, "--db", files.folder / "one.db")
        self.assertIn("--warehouse URL", ended.errors)
        self.assertGreater(self.rows(device), 20)
        with contextlib.closing(sqlite3.connect(files.folder / "one.db")) as connection:
            noted = "SELECT count(*) FROM meta WHERE key LIKE 'forget %'"
            self.assertEqual(connection.execute(noted).fetchone(), (1,))
            done("forget", *words, "--db", files.folder / "one.db", "--warehouse", address)
            self.assertEqual(self.rows(device), 0)
            self.assertEqual(connection.execute(noted).fetchone(), (0,))

    def test_9_forgotten_by_shipping(self):
        """What a file forgets goes with the next shipping, where the user may do that; else shipping says so."""
        event = next(json.loads(line) for line in files.lines[4500:] if json.loads(line)["stage"] == "applied")
        known = done("breadcrumbs", event["device"], "--app", event["app"], "--json", "--db", files.folder / "two.db")
        device = int(re.search(r'"device":"([0-9a-f]{16})"', known.output)[1], 16)
        done("forget", event["device"], "--app", event["app"], "--yes", "--db", files.folder / "two.db")
        self.assertGreater(self.rows(device), 0)
        done("ship", "--db", files.folder / "two.db", "--to", cluster.address("fleet"))
        self.assertEqual(self.rows(device), 0)

    def rows(self, device):
        """Of a device, in all tables of all servers."""
        tables = "event contact profile_seen device_bucket journey journey_bucket failure wake".split()
        return sum(int(server.query(f"SELECT count() FROM fleet.{table}_local WHERE device = {device}"))
                   for server in cluster.servers for table in tables)


class Ahead(unittest.TestCase):
    """While a batch is sent the next one is made ready."""

    def test_forgotten_meanwhile(self):
        """What a file has not any more is not sent."""
        server, lines = cluster.servers[0], files.lines[:900]
        file, proxy = files.database("ahead", lines), Proxy(server.http)
        self.addCleanup(proxy.stop)
        done("warehouse", "init", "--db", cluster.address("ahead", servers=[server]))
        event = next(json.loads(line) for line in lines[600:800] if json.loads(line)["stage"] == "check")
        proxy.harms = ["wait"]
        shipping = start("ship", "--batch", 500, "--db", file, "--to", cluster.address("ahead", servers=[proxy]))
        self.assertTrue(proxy.held.wait(PATIENCE))
        time.sleep(1)
        done("forget", event["device"], "--app", event["app"], "--yes", "--db", file)
        proxy.release()
        ended = Ended(shipping)
        self.assertEqual(ended.status, 0, ended.errors)
        with contextlib.closing(sqlite3.connect(file)) as connection:
            kept = {seq for seq, in connection.execute("SELECT seq FROM event WHERE seq > 500")}
        sent = {int(seq) for seq in server.query("SELECT DISTINCT seq FROM ahead.event WHERE seq > 500").split()}
        self.assertLess(len(kept), 400)
        self.assertEqual(sent, kept)


class Returned(unittest.TestCase):
    """A device that comes again before the warehouse was told that it is forgotten: what it says since is there for good."""

    @classmethod
    def setUpClass(cls):
        cls.lines = files.lines[4400:5300]
        cls.event = next(json.loads(line) for line in cls.lines if json.loads(line)["stage"] == "applied")

    def shipped(self, name):
        file, address = files.database(name, self.lines), cluster.address(name)
        done("warehouse", "init", "--cluster", "main", "--db", address)
        self.assertEqual(ship(file, address).status, 0)
        return file, address

    def forget(self, file, *more):
        done("forget", self.event["device"], "--app", self.event["app"], "--yes", "--db", file, *more)

    def again(self, file, number):
        """Three new events of it, and nothing else."""
        files.add(file, [json.dumps({**self.event, "id": f"again-{number}-{stage}", "stage": stage}) + "\n"
                         for stage in ("check", "applied", "confirmed")])

    def assertSame(self, name, file):
        with contextlib.closing(sqlite3.connect(file)) as connection:
            self.assertEqual(connection.execute("SELECT count(*) FROM meta WHERE key LIKE 'forget %'").fetchone(), (0,))
        deadline = time.monotonic() + PATIENCE
        while odd := facts.differences(cluster.servers[0], name, file):
            self.assertLess(time.monotonic(), deadline, "\n".join(odd))
            time.sleep(0.3)

    def test_before_the_next_shipping(self):
        file, address = self.shipped("returned")
        self.forget(file)
        self.again(file, 1)
        self.assertEqual(ship(file, address).status, 0)
        self.assertSame("returned", file)
        self.forget(file)
        self.assertEqual(ship(file, address).status, 0)
        self.assertSame("returned", file)

    def test_the_warehouse_is_away(self):
        """The file has forgotten the device, the warehouse has not, and both are told; then again, with the command that is named."""
        file, address = self.shipped("away")
        words = (self.event["device"], "--app", self.event["app"], "--db", file, "--yes", "--warehouse")
        ended = run("forget", *words, "clickhouse://uptake@127.0.0.1:1/away")
        self.assertEqual((ended.status, code(ended)), (1, "warehouse_unreachable"), ended.errors)
        self.assertTrue(re.search(r"(?m)^1\t1\t[1-9]", ended.output), ended.output)
        error = json.loads(ended.errors.splitlines()[-1])
        self.assertIn(f"{file} has forgotten the device, the warehouse has not", error["message"])
        self.assertIn(f"uptake forget {self.event['device']} --app {self.event['app']} --db {file} --warehouse clickhouse://",
                      error["hint"])
        ended = done("forget", *words, address)
        self.assertIn("holds nothing of that device any more", ended.errors)
        self.assertNotIn("is it the right app", ended.errors)
        self.assertSame("away", file)

    def test_shipped_before_somebody_else_tells_the_warehouse(self):
        """The one who ships may not alter tables; later somebody may, by the command or by shipping."""
        file, address = self.shipped("returned2")
        denied = cluster.address("returned2", "shipper")
        for number, tell in enumerate([("ship", "--to"), ("forget", "--warehouse")]):
            self.forget(file)
            self.again(file, number)
            ended = ship(file, denied)
            self.assertEqual((ended.status, code(ended)), (1, "warehouse_does_not_forget"), ended.errors)
            if tell[0] == "ship":
                self.assertEqual(ship(file, address).status, 0)
            else:
                self.forget(file, "--warehouse", address)
            self.assertSame("returned2", file)


class Serving(unittest.TestCase):
    """`serve --ship`: what comes in goes on by itself."""

    def start(self, file, address):
        service = start("serve", "--db", file, "--listen", "127.0.0.1:0", "--ship", address)
        self.addCleanup(service.communicate)
        self.addCleanup(service.kill)
        return service, service.stdout.readline().split("listens on ")[1].split(",")[0]

    def send(self, url, lines):
        request = urllib.request.Request(
            url + "/v1/events", "".join(lines).encode(), {"Content-Type": "application/x-ndjson"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            self.assertIn(answer.status, (200, 202))

    def metric(self, url, name):
        with urllib.request.urlopen(url + "/metrics", timeout=30) as answer:
            found = re.search(rf"(?m)^uptake_ship_{name} (\S+)$", answer.read().decode())
        return found and float(found[1])

    def eventually(self, holds):
        deadline = time.monotonic() + PATIENCE
        while not holds():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.2)

    def test_serve(self):
        """Events are taken while there is no warehouse, and go there once there is; after a kill it goes on."""
        file, address = files.database("served", []), cluster.address("served", servers=cluster.servers[:1])
        service, url = self.start(file, address)
        self.send(url, files.lines[:500])
        self.eventually(lambda: self.metric(url, "failing") == 1)
        self.assertIsNone(self.metric(url, "waiting_events"))
        done("warehouse", "init", "--db", address)
        self.eventually(lambda: self.metric(url, "failing") == 0 and self.metric(url, "waiting_events") == 0)
        self.assertGreater(self.metric(url, "last_success_timestamp_seconds"), 0)
        self.send(url, files.lines[500:1000])
        service.kill()
        service, url = self.start(file, address)
        self.send(url, files.lines[1000:1200])
        self.eventually(lambda: not facts.differences(cluster.servers[0], "served", file))
        self.eventually(lambda: questions.differences(file, address, [["channels", "--now", NOW]]) == [])
        device = json.loads(files.lines[0])
        request = urllib.request.Request(f"{url}/v1/devices/{device['device']}?app={device['app']}", method="DELETE")
        with urllib.request.urlopen(request, timeout=30) as answer:
            self.assertEqual(answer.status, 200)
        self.eventually(lambda: not facts.differences(cluster.servers[0], "served", file))
        self.eventually(lambda: self.metric(url, "unforgotten_devices") == 0)
        service.terminate()
        self.assertEqual(service.wait(60), 0)


class Refusals(unittest.TestCase):
    """What nobody can ship to, and who says so."""

    @classmethod
    def setUpClass(cls):
        cls.server = cluster.servers[:1]
        cls.file = files.database("refused", files.lines[:50])
        cls.address = cluster.address("alone", servers=cls.server)
        done("warehouse", "init", "--db", cls.address)
        done("ship", "--db", cls.file, "--to", cls.address)

    def assertRefused(self, address, name, *words, file=None, status=5, **options):
        ended = ship(file or self.file, address, **options)
        self.assertEqual((ended.status, code(ended)), (status, name), ended.errors)
        error = json.loads(ended.errors.splitlines()[-1])
        for word in words:
            self.assertIn(word, error["message"])
        self.assertTrue(error["hint"])
        self.assertNotIn(PASSWORD, ended.errors)

    def test_password(self):
        port = str(self.server[0].http)
        self.assertRefused(self.address, "warehouse_denied", port, password="wrong")
        self.assertRefused(self.address, "warehouse_denied", port, password="")
        self.assertRefused(cluster.address("alone", "nobody", self.server), "warehouse_denied", "nobody")

    def test_place(self):
        self.assertRefused(cluster.address("nowhere", servers=self.server), "warehouse_missing", "nowhere")
        self.assertRefused("clickhouse://127.0.0.1:1/alone", "warehouse_unreachable", "127.0.0.1:1", status=1)

    def test_readers(self):
        """Who may only read is answered all the same, and cannot ship."""
        files.add(self.file, files.lines[60:70])
        for user in "reader", "strict":
            address = cluster.address("alone", user, self.server)
            done("warehouse", "status", "--db", address, password="look")
            self.assertEqual(
                done("channels", "--now", NOW, "--json", "--db", address, password="look").output,
                done("channels", "--now", NOW, "--json", "--db", self.address).output)
            self.assertRefused(address, "warehouse_read_only", password="look")

    def test_password_is_shown_nowhere(self):
        """Where it stands in the address: pages are for many."""
        address = self.address.replace("uptake@", f"uptake:{PASSWORD}@")
        folder = files.folder / "pages"
        done("report", "--out", folder, "--now", NOW, "--db", address, password="wrong")
        pages = [page.read_text() for page in folder.rglob("*") if page.is_file()]
        self.assertTrue(any("clickhouse://uptake@" in page for page in pages))
        self.assertFalse(any(PASSWORD in page for page in pages))
        for words in ["doctor"], ["forget", "x", "--app", "x", "--yes"], ["key", "list"], ["backup", folder / "copy"]:
            ended = run(*words, "--db", address)
            self.assertEqual((ended.status, code(ended)), (2, "not_a_file"), words)
            self.assertNotIn(PASSWORD, ended.errors)

    def test_status(self):
        """Backups are for files; of so few events those that came late set the cutoff."""
        concerns = json.loads(done("status", "--json", "--db", self.address).output)["concerns"]
        self.assertEqual([concern["kind"] for concern in concerns], ["silence", "cutoff"])

    def test_identity(self):
        stranger = files.folder / "stranger.db"
        files.add(stranger, files.lines[:50])
        self.assertRefused(self.address, "warehouse_of_others", str(stranger), file=stranger)

    def test_schemas(self):
        address = cluster.address("versions", servers=self.server)
        done("warehouse", "init", "--db", address)
        for version, name in ("1000", "warehouse_newer"), ("0", "warehouse_older"):
            self.server[0].query("TRUNCATE TABLE versions.meta")
            self.server[0].query(f"INSERT INTO versions.meta VALUES ('schema', '{version}')")
            self.assertRefused(address, name, f"schema {version}")
            for words in ["warehouse", "init"], ["channels"]:
                ended = run(*words, "--db", address)
                self.assertEqual((ended.status, code(ended)), (5, name))


if __name__ == "__main__":
    unittest.main()
