"""Nodes that keep little: answered once the warehouse has the events, and rid of them after."""

import concurrent.futures
import contextlib
import json
import re
import shlex
import sqlite3
import time
import unittest
import urllib.error
import urllib.request

import facts
import questions
from cluster import shared
from program import NOW, Files, done, run, start
from proxy import Proxy


def setUpModule():
    global server, files
    server, files = shared().servers[0], Files()
    unittest.addModuleCleanup(files.remove)
    # Events at their clients' times, whenever they are received.
    told = [{key: value for key, value in json.loads(line).items() if key not in ("received", "sentAt")} for line in files.lines]
    files.lines = [json.dumps(event) + "\n" for event in told]


class Acknowledged(unittest.TestCase):
    """`serve --ack shipped`: an answered event survives its node."""

    def setUp(self):
        self.database = self._testMethodName
        self.proxy = Proxy(server.http)
        self.addCleanup(self.proxy.stop)
        self.address = shared().address(self.database, servers=[self.proxy])
        done("warehouse", "init", "--db", self.address)

    def serve(self, name, wait="50s"):
        self.file = files.database(name, [])
        service = start("serve", "--db", self.file, "--listen", "127.0.0.1:0", "--ship", self.address, "--ack", "shipped",
                        "--ack-wait", wait)
        self.addCleanup(service.communicate)
        self.addCleanup(service.kill)
        self.url = service.stdout.readline().split("listens on ")[1].split(",")[0]
        return service

    def send(self, lines, path="/v1/events"):
        """The answer's status, its headers and what it says; 0 where there was none."""
        request = urllib.request.Request(self.url + path, "".join(lines).encode(), {"Content-Type": "application/x-ndjson"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.headers, json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers, json.load(error)
        except OSError:
            return 0, {}, {}

    def lacking(self, lines):
        """How many of these events the warehouse does not have."""
        wanted = files.database(f"{self.database}-wanted", lines)
        with contextlib.closing(sqlite3.connect(wanted)) as connection:
            identities = {facts.unsigned(identity) for identity, in connection.execute("SELECT id_hash FROM event")}
        self.assertGreater(len(identities), 0)
        held = {int(word) for word in server.query(f"SELECT DISTINCT id FROM {self.database}.event").split()}
        return len(identities - held)

    def test_killed(self):
        """A node ends amid requests and its disk is gone: what it answered is there; another one takes the rest."""
        # So many that some are left, however late one sees that ten are answered.
        service, parts = self.serve("mortal"), [files.lines[at:at + 20] for at in range(0, 1500, 20)]
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            sent = [pool.submit(self.send, part) for part in parts]
            while sum(one.done() for one in sent) < 10:
                time.sleep(0.01)
            service.kill()
            answered = [one.result()[0] for one in sent]
        for path in self.file.parent.glob(self.file.name + "*"):
            path.unlink()
        self.assertLessEqual(set(answered), {0, 200})
        self.assertGreaterEqual(answered.count(200), 10)
        self.assertGreater(answered.count(0), 0)
        self.assertEqual(self.lacking([line for part, status in zip(parts, answered) if status for line in part]), 0)
        self.serve("heir")
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            again = list(pool.map(self.send, (part for part, status in zip(parts, answered) if not status)))
        self.assertEqual({status for status, _, _ in again}, {200})
        whole = files.database("killed-whole", files.lines[:1500])
        # When an event was received is the only thing that depends on who took it.
        self.assertEqual([odd for odd in facts.differences(server, self.database, whole) if not odd.startswith("event:")], [])
        events = server.query(f"SELECT count(), uniqExact(id) FROM (SELECT DISTINCT id, device, at, stage FROM {self.database}.event)")
        with contextlib.closing(sqlite3.connect(whole)) as connection:
            count, = connection.execute("SELECT count(*) FROM event").fetchone()
        self.assertEqual(events.split(), [str(count)] * 2)

    def test_late(self):
        """Refused once it took too long; the resend finds its events already stored, and counts nothing twice."""
        self.serve("late", wait="1s")
        self.proxy.harms = ["wait"]
        status, headers, answer = self.send(files.lines[:50])
        self.assertEqual((status, headers["Retry-After"], answer["error"]["code"]), (503, "5", "not_shipped"))
        self.proxy.release()
        deadline = time.monotonic() + 120
        while (found := self.send(files.lines[:50]))[0] == 503:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.2)
        self.assertEqual((found[0], found[2]["accepted"]), (200, 0))
        self.assertEqual(self.lacking(files.lines[:50]), 0)

    def test_lost_answer(self):
        """A request that waits does so over an attempt that fails."""
        self.serve("lost")
        self.proxy.harms = ["lose"]
        self.assertEqual(self.send(files.lines[:50])[0], 200)
        self.assertEqual(self.lacking(files.lines[:50]), 0)
        with urllib.request.urlopen(self.url + "/metrics", timeout=30) as answer:
            self.assertTrue(re.search(r"(?m)^uptake_ship_failures_total [1-9]", answer.read().decode()))

    def test_nothing_is_shipped(self):
        ended = run("serve", "--db", files.folder / "none.db", "--ack", "shipped")
        self.assertEqual((ended.status, json.loads(ended.errors)["code"]), (2, "nothing_shipped"), ended.errors)


class Small(unittest.TestCase):
    """`retain --shipped`: a node that only takes events and sends them on."""

    def setUp(self):
        self.address = shared().address(self._testMethodName, servers=[server])
        done("warehouse", "init", "--db", self.address)

    def events(self, file):
        with contextlib.closing(sqlite3.connect(file)) as connection:
            return connection.execute("SELECT count(*) FROM event").fetchone()[0]

    def retain(self, file, *more):
        return run("retain", "--shipped", *more, "--json", "--db", file)

    def test_retained(self):
        """Nothing goes that is not there; the node's own answers stay as they are, and the warehouse's are those of all events."""
        file, whole = files.database("small", files.lines[:2000]), files.database("small-whole", files.lines[:3000])
        refused = self.retain(file, "--drop")
        self.assertEqual((refused.status, json.loads(refused.errors)["code"]), (1, "shipped_nowhere"), refused.errors)
        done("ship", "--db", file, "--to", self.address)
        files.add(file, files.lines[2000:3000])
        stored, kept = self.events(file), files.folder / "kept.db"
        done("backup", kept, "--db", file)
        retained = self.retain(file, "--drop")
        waiting = int(re.match(r"(\d+) events wait to be shipped; they stay", retained.errors)[1])
        self.assertEqual(json.loads(retained.output)["data"][0]["events"], stored - waiting)
        self.assertEqual(self.events(file), waiting)
        self.assertGreater(waiting, 900)
        asked = [[*words, "--now", NOW] for words in questions.lines() if words[0] != "breadcrumbs"]
        self.assertEqual(questions.differences(kept, file, asked), [])
        done("ship", "--db", file, "--to", self.address)
        self.assertEqual(json.loads(self.retain(file, "--older", "0s", "--drop").output)["data"][0]["events"], waiting)
        self.assertEqual(self.events(file), 0)
        self.assertEqual(questions.differences(kept, file, asked), [])
        self.assertEqual(facts.differences(server, self._testMethodName, kept), [])
        self.assertEqual(questions.differences(whole, self.address, [["releases", "--now", NOW], ["channels", "--now", NOW]]), [])
        # A resend is still recognised.
        files.add(file, files.lines[:3000])
        self.assertEqual(self.events(file), 0)

    def test_served(self):
        """A service does it by itself, at its start and every hour."""
        file = files.database("served-small", files.lines[:500])
        done("ship", "--db", file, "--to", self.address)
        service = start("serve", "--db", file, "--listen", "127.0.0.1:0", "--ship", self.address, "--retain-shipped", "0s",
                        "--retain-drop")
        self.addCleanup(service.communicate)
        self.addCleanup(service.kill)
        deadline = time.monotonic() + 120
        while self.events(file):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.2)

    def test_refusals(self):
        file = files.folder / "small-refused.db"
        for code, words in {
            "two_ages": ["retain", "--shipped", "--raw", "1d", "--drop"],
            "older_unused": ["retain", "--raw", "1d", "--older", "1d", "--drop"],
            "nothing_shipped": ["serve", "--retain-shipped", "1h", "--retain-drop"],
            "where_to": ["serve", "--retain-shipped", "1h", "--ship", self.address],
        }.items():
            ended = run(*words, "--db", file)
            self.assertEqual((ended.status, json.loads(ended.errors)["code"]), (2, code), ended.errors)


class Silent(unittest.TestCase):
    """A node that stopped shipping: its devices' news are missing, and nothing else would say so."""

    def setUp(self):
        self.database = "silent_" + self._testMethodName
        self.address = shared().address(self.database, servers=[server])
        done("warehouse", "init", "--db", self.address)
        self.file = files.database(self._testMethodName, files.lines[:500])
        done("ship", "--db", self.file, "--to", self.address)

    def nodes(self):
        """By whether they are silent, and whether they were retired."""
        found = json.loads(done("warehouse", "status", "--json", "--db", self.address).output)["data"]
        return {node["node"]: (node["isSilent"], node["retiredAt"] is not None) for node in found}

    def age(self, node, hours):
        """It shipped once an hour for three days, and nothing in the last hours."""
        number, now = int(node, 16), int(time.time())
        server.query(f"ALTER TABLE {self.database}.batch DELETE WHERE node = {number}")
        while server.query("SELECT count() FROM system.mutations WHERE NOT is_done").strip() != "0":
            time.sleep(0.1)
        server.query(f"INSERT INTO {self.database}.batch SELECT {number}, number, 0, 0, 100, ({now} - 3600 * (number + {hours})) * 1000 "
                     "FROM numbers(72)")
        server.query(f"INSERT INTO {self.database}.change VALUES ({number}, 1000, 1, 1, {now - 3600 * hours})")

    def told(self):
        """What status and an answer say of nodes."""
        concerns = json.loads(run("status", "--json", "--db", self.address).output)["concerns"]
        warnings = json.loads(done("channels", "--json", "--db", self.address).output)["warnings"]
        found = [one["message"] for one in concerns if one["kind"] == "node"]
        self.assertEqual([text.rsplit(": uptake warehouse status", 1)[0] for text in found],
                         [one["message"] for one in warnings if one["code"] == "silent_node"])
        return found

    def retire(self, node, place, *more):
        ended = run("warehouse", "retire", *node, "--db", place, *more)
        return ended.status, ended.status and code(ended)

    def test_named_until_it_is_retired_or_ships(self):
        (gone, _), = self.nodes().items()
        other = files.database("silent-other", files.lines[500:800])
        done("ship", "--db", other, "--to", self.address)
        self.assertEqual(self.told(), [])
        self.age(gone, 5)
        message, = self.told()
        self.assertRegex(message, rf"^node {gone} shipped nothing for 5\.0h, since .*; others did; some 10[0-9] events an hour came")
        self.assertTrue(message.endswith(f": uptake warehouse status --db {self.address}"), message)
        self.assertIn(f"uptake warehouse retire {gone} --db {self.address}", run("warehouse", "status", "--db", self.address).errors)
        here = next(node for node in self.nodes() if node != gone)
        self.assertEqual(self.nodes(), {gone: (True, False), here: (False, False)})
        self.assertEqual(self.retire([here], self.address), (1, "node_ships"))
        self.assertEqual(self.retire(["abc"], self.address), (1, "unknown_node"))
        self.assertEqual(self.retire([], self.address), (2, "missing_argument"))
        self.assertEqual(self.retire([gone], self.address), (0, 0))
        self.assertEqual((self.told(), self.nodes()[gone]), ([], (False, True)))
        files.add(self.file, files.lines[800:900])
        done("ship", "--db", self.file, "--to", self.address)
        self.assertEqual((self.told(), self.nodes()[gone]), ([], (False, False)))
        self.assertEqual(questions.differences(files.database("silent-whole", files.lines[:900]), self.address, [["releases", "--now", NOW]]), [])

    def test_a_file_that_left_a_warehouse(self):
        (node, _), = self.nodes().items()
        files.add(self.file, files.lines[500:600])
        waits = run("retain", "--shipped", "--older", "0s", "--drop", "--json", "--db", self.file)
        self.assertIn("wait to be shipped; they stay", waits.errors)
        self.assertEqual(self.retire(["abc"], self.file), (1, "unknown_node"))
        self.assertEqual(self.retire([], self.file), (2, "missing_argument"))
        self.assertEqual(self.retire([node], self.file), (0, 0))
        self.assertEqual(self.retire([node], self.file), (1, "unknown_node"))
        self.assertIn("bound to no warehouse", run("warehouse", "retire", node, "--db", self.file).errors)
        refused = run("retain", "--shipped", "--drop", "--json", "--db", self.file)
        self.assertEqual((refused.status, code(refused)), (1, "shipped_nowhere"), refused.errors)

    def test_what_it_has_forgotten_is_told_first(self):
        (node, _), = self.nodes().items()
        event = json.loads(files.lines[0])
        done("forget", event["device"], "--app", event["app"], "--yes", "--db", self.file)
        self.assertEqual(self.retire([node], self.file), (1, "not_forgotten"))
        self.assertEqual(self.retire([node], self.file, "--gone"), (0, 0))

    def test_watch_says_what_to_do_instead(self):
        ended = run("watch", "--once", "--db", self.address)
        self.assertEqual((ended.status, code(ended)), (2, "only_in_files"), ended.errors)


class Publications(unittest.TestCase):
    """Copies of one file of which one hears of a halt: what was changed last counts, whichever node it came to."""

    RELEASE = ["2.2.1", "--app", "shop"]

    def setUp(self):
        self.database = "publications_" + self._testMethodName
        self.address = shared().address(self.database, servers=[server])
        done("warehouse", "init", "--db", self.address)
        self.at = time.time()
        self.nodes = [files.folder / f"{self.database}-{name}.db" for name in "ab"]
        done("backup", self.nodes[0], "--db", files.empty)
        events = files.folder / "few.ndjson"
        events.write_text("".join(json.dumps({
            "device": f"d{n}", "app": "shop", "stage": stage, "release": "2.2.1", "at": self.time(-hours)}) + "\n"
            for n in range(20) for stage, hours in [("check", 3), ("applied", 2)]))
        done("import", events, "--quiet", "--db", self.nodes[0])
        self.change(0, "publish", "--at", self.time(-2.5), "--rollout", "10%@0h,50%@1h")
        done("backup", self.nodes[1], "--db", self.nodes[0])
        self.ship()

    def time(self, hours):
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.at + 3600 * hours))

    def change(self, node, act, *more):
        done("release", act, *self.RELEASE, *more, "--db", self.nodes[node])

    def ship(self):
        return [done("ship", "--db", node, "--to", self.address) for node in self.nodes]

    def state(self, place):
        """Of the release, and what the answer warns of nodes."""
        answer = json.loads(done("releases", "--json", "--db", place).output)
        told = [one["message"] for one in answer["warnings"] if one["code"] == "publications_differ"]
        found = [(one["state"], one["rolloutPercent"]) for one in answer["data"] if one["release"] == "2.2.1"]
        return found[0] if found else None, told

    def names(self):
        """Of the nodes, as the warehouse knows them."""
        found = server.query(f"SELECT DISTINCT hex(node) FROM {self.database}.state").lower().split()
        return {name.lstrip("0") for name in found}

    def test_halted_at_either(self):
        self.assertEqual(self.state(self.address), self.state(self.nodes[0]))
        for node in 0, 1:
            self.change(node, "halt", "--at", self.time(-1))
            self.assertEqual(self.ship()[node].errors, f"1 publication was shipped to {self.address}\n")
            halted, _ = self.state(self.nodes[node])
            self.assertEqual(halted[1], 0)
            state, (told,) = self.state(self.address)
            self.assertEqual(state, halted)
            for name in self.names():
                self.assertIn(name, told)
            concerns = json.loads(run("status", "--json", "--db", self.address).output)["concerns"]
            self.assertIn(told, [one["message"] for one in concerns if one["kind"] == "node"])
            self.change(node, "widen", "100", "--at", self.time(-0.5))
            self.ship()
            self.assertEqual(self.state(self.address)[0], self.state(self.nodes[node])[0])

    def test_a_job_that_runs_again_ends_no_halt(self):
        """At a node that does not have it, whether what the job registers is known there or new."""
        self.change(1, "halt")
        self.ship()
        halted = self.state(self.nodes[1])[0]
        self.change(0, "publish", "--rollout", "10%@0h,50%@1h")
        self.ship()
        self.assertEqual(self.state(self.address)[0], halted)
        self.change(0, "publish", "--rollout", "10%@0h,60%@1h")
        self.ship()
        state, (told,) = self.state(self.address)
        self.assertEqual(state, halted)
        self.assertIn("its halt stands", told)

    def test_doing_what_is_advised_ends_it(self):
        """A halt that came an hour later to the other node; nodes are told apart by where they halt."""
        self.change(1, "halt", "--at", self.time(-1))
        self.change(0, "halt")
        self.ship()
        state, (told,) = self.state(self.address)
        self.assertEqual(state[1], 0)
        command = told[told.rindex("uptake release publish"):]
        done(*shlex.split(command)[1:], "--db", self.nodes[1])
        self.ship()
        self.assertEqual(self.state(self.address), (state, []))

    def test_halted_at_both_by_one_job(self):
        for node in 1, 0:
            self.change(node, "halt")
            time.sleep(1)
        self.ship()
        self.assertEqual(self.state(self.address), (self.state(self.nodes[1])[0], []))

    def test_withdrawn(self):
        self.change(1, "withdraw")
        self.ship()
        state, (told,) = self.state(self.address)
        self.assertEqual(state, self.state(self.nodes[1])[0])
        self.assertNotEqual(state, self.state(self.nodes[0])[0])
        self.assertIn("uptake release withdraw 2.2.1 --app shop", told)

    def test_nodes_that_tell_no_changes(self):
        """As those of programs before."""
        self.change(1, "halt", "--at", self.time(-0.5))
        self.ship()
        self.forget_changes()
        state, (told,) = self.state(self.address)
        self.assertEqual(state, self.state(self.nodes[1])[0])
        self.assertIn("not all of them tell when they changed it", told)
        self.assertNotIn("changed last", told)

    def forget_changes(self):
        server.query(f"ALTER TABLE {self.database}.state DELETE WHERE kind = 'changes'")
        while server.query("SELECT count() FROM system.mutations WHERE NOT is_done").strip() != "0":
            time.sleep(0.1)


class Impossible(unittest.TestCase):
    """Which devices sent what none can is known to the node that they sent it to; a warehouse says how many."""

    def test_told_by_node(self):
        address, file = shared().address("impossible", servers=[server]), files.folder / "impossible.db"
        done("warehouse", "init", "--db", address)
        done("backup", file, "--db", files.empty)
        events = [{"device": f"d{n}", "at": "2025-06-20T10:00:00Z"} for n in range(40)]
        events += [{"device": "loop", "at": f"2025-06-20T10:00:{n % 60:02}.{n % 1000:03}Z"} for n in range(3000)]
        (files.folder / "loop.ndjson").write_text("".join(
            json.dumps({**event, "app": "shop", "stage": "check", "release": "1.0", "id": str(n)}) + "\n" for n, event in enumerate(events)))
        done("import", files.folder / "loop.ndjson", "--quiet", "--db", file)
        done("ship", "--db", file, "--to", address)
        told = {}
        for place in file, address:
            answer = json.loads(done("channels", "--json", "--now", NOW, "--db", place).output)
            told[place], = [one["message"] for one in answer["warnings"] if one["code"] == "impossible_histories"]
        node = server.query("SELECT DISTINCT hex(node) FROM impossible.state").strip().lower().lstrip("0")
        self.assertRegex(told[file], "^1 device of about 41 sent what no device can, more than 2,000 events within a minute")
        self.assertRegex(told[address], f"^1 device of about 41 at node {node} sent what no device can, more than 2,000 events")
        self.assertNotIn("--without-impossible leaves", told[address])


def code(ended):
    return json.loads(ended.errors.splitlines()[-1])["code"]


if __name__ == "__main__":
    unittest.main()
