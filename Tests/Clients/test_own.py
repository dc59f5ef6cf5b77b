"""Clients of our own (clients/): one table of cases for all, and nothing lost or doubled however they and the service fare.

A client that cannot be compiled here fails; Dart has no compiler in Debian and is not run (docs/clients/own-dart.md).
"""

import json
import pathlib
import random
import shutil
import subprocess
import tempfile
import time
import unittest

from own import CASES, SOURCES, SOON, Probe, Trouble, chance, kills, kotlin, swift, typescript
from own_failures import Failures
from service import Service


class Behaviour(Failures):
    """What every client does; `program` says how it is started."""

    #: How a client tells that nobody answers: the address that it asked, then the system's reason.
    UNANSWERED = "no answer from uptake.example.com/v1/events: ."

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="uptake-client-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def probe(self, url, *settings, folder="queue"):
        return Probe(self.program(), f"{self.folder}/{folder}", url, *settings, *self.settings)

    def test_the_rules(self):
        with self.probe("http://127.0.0.1:1", *SOON) as probe:
            for rule in CASES["rules"]:
                if type(self).__name__ not in rule.get("except", ()):
                    with self.subTest(**rule):
                        self.assertEqual(probe.say(*rule["say"]), rule["gives"])

    def test_the_stories(self):
        with Service() as service:
            for number, story in enumerate(CASES["stories"]):
                with self.subTest(about=story["about"]):
                    self.tell(service, f"story{number}", story)

    def tell(self, service, app, story):
        for words in story["runs"]:
            with self.probe(service.url, *SOON, f"app={app}", *story.get("settings", ()), folder=app) as probe:
                said = [probe.say(*line) for line in words]
        stored = service.stored('app, stage, release, trigger, outcome, "from"', order="seq")
        self.assertEqual([row.removeprefix(app + " ") for row in stored if row.startswith(app + " ")], story["stored"])
        self.assertEqual(said[-1], story.get("status", "0 0 0 0"))

    def test_what_goes_with_every_event(self):
        with Service() as service, self.probe(service.url, *SOON) as probe:
            self.assertRegex(probe.say("device"), "^[0-9a-f]{32}$")
            arm = probe.say("arm", probe.say("device"), "push", "holdout:50,push:50").split()[1]
            probe.say("record", "failed", "r1", "reason=no \"space\" \\ left\u00e9\U0001f642", "durationMs=7", "network=wifi")
            probe.say("flush")
            self.assertEqual(service.stored("app, platform, appVersion, channel, reason, durationMs, network, arm"),
                             [f'com.example.demo ios 1.4.0 production no "space" \\ left\u00e9\U0001f642 7 wifi {arm}'])

    def test_what_answers_are_split_by(self):
        with Service() as service, Trouble(service) as trouble:
            said = ("deviceModel=" + "x" * 70, "region=" + "\u00e4" * 20, "plan=pro \"é\"")
            with self.probe(trouble.url, *SOON, *said) as probe:
                probe.say("record", "ready", "r1")
                self.assertEqual(probe.say("flush"), "0 0 0 0")
            told = {name: trouble.events[0][name] for name in ("deviceModel", "region", "tags")}
            self.assertEqual(told, {"deviceModel": "x" * 64, "region": "\u00e4" * 16, "tags": {"plan": 'pro "é"'}})

    def test_the_device_stays_the_same(self):
        devices = set()
        for _ in range(3):
            with self.probe("http://127.0.0.1:1") as probe:
                devices.add(probe.say("device"))
        self.assertEqual(len(devices), 1)

    def test_a_key_is_presented(self):
        with Service() as service:
            key = service.require_key()
            with self.probe(service.url, *SOON) as probe:
                probe.say("record", "ready", "r1")
                self.assertEqual(probe.say("flush"), "1 0 0 1")
            with self.probe(service.url, f"key={key}", *SOON) as probe:
                self.assertEqual(probe.say("flush"), "0 0 0 0", "nobody has asked to wait with this key")
            self.assertEqual(service.stored(), ["ready r1 unknown"])

    def test_an_address_that_says_too_much(self):
        for number, end in enumerate(["", "/", "/v1", "/v1/", "/v1/events", "/v1/events/"]):
            with self.subTest(end=end), Service() as service, self.probe(service.url + end, *SOON, folder=f"at{number}") as probe:
                probe.say("record", "ready", "r1")
                self.assertEqual(probe.say("flush"), "0 0 0 0")
                self.assertEqual(service.stored(), ["ready r1 unknown"])

    def test_a_problem_is_told_in_the_words_of_the_service(self):
        with Service() as service:
            service.require_key()
            for place, words in (("", "after status 401: a key is needed"), ("/elsewhere", "after status 404: there is nothing at /elsewhere/v1/events")):
                with self.subTest(place=place), self.probe(service.url + place, *SOON, "problems=1", folder=f"in{len(place)}") as probe:
                    probe.say("record", "ready", "r1")
                    self.assertIn(words, probe.say("flush"))
                    self.assertEqual(probe.hear(), "1 0 0 1")

    def test_an_address_that_is_none_is_told(self):
        with self.probe("uptake.example.com", "base=600000", "delay=60000", "problems=1") as probe:
            probe.say("record", "ready", "r1")
            self.assertRegex(probe.say("flush"), r"1 events wait \d+ s after " + self.UNANSWERED)
            self.assertEqual(probe.hear(), "1 0 0 1")

    def test_each_trouble_is_outlived(self):
        for fate in ["down", "lost", "slow", "portal", 500, 503, 429]:
            with self.subTest(fate=fate), Service() as service, Trouble(service) as trouble:
                trouble.fate = lambda fate=fate, left=iter([fate, fate]): next(left, "pass")
                with self.probe(trouble.url, *SOON, folder=str(fate)) as probe:
                    probe.say("record", "ready", "r1")
                    self.flush_all(probe)
                self.assertEqual(service.stored(), ["ready r1 unknown"])
                self.assertEqual(trouble.fates[:2], [fate, "pass" if fate == "slow" else fate][:len(trouble.fates)])

    def test_a_batch_that_is_too_large_is_halved(self):
        with Service() as service, Trouble(service) as trouble:
            trouble.fate = lambda: "large"
            with self.probe(trouble.url, *SOON) as probe:
                for release in "abcdefg":
                    probe.say("record", "ready", release)
                self.assertEqual(probe.say("flush"), "0 0 0 0")
            self.assertEqual(service.stored("release", order="seq"), list("abcdefg"))

    def test_a_service_that_is_down_is_left_alone(self):
        with Service() as service, Trouble(service) as trouble:
            trouble.fate = lambda: 503
            for _ in range(2):
                with self.probe(trouble.url, "delay=1", "base=600000") as probe:
                    probe.say("record", "ready", "r1")
                    probe.say("flush")
                    probe.say("flush")
            self.assertEqual(trouble.fates, [503], "also after a restart")

    def test_a_torn_queue(self):
        with Service() as service:
            with self.probe("http://127.0.0.1:1", *SOON) as probe:
                probe.say("record", "ready", "r1")
            with open(f"{self.folder}/queue/queue", "ab") as queue:
                queue.write(b'{"id":"torn","stage":"rea')
            with self.probe(service.url, *SOON) as probe:
                probe.say("record", "ready", "r2")
                self.flush_all(probe)
            self.assertEqual(service.stored("release", order="seq"), ["r1", "r2"])

    def test_killed_between_queue_and_answer(self):
        with Service() as service, Trouble(service) as trouble:
            durable, begun = self.suffer(trouble)
            trouble.fate = lambda: "pass"
            with self.probe(trouble.url, *SOON) as probe:
                said = self.flush_all(probe)
            stored = [int(number) for number in service.stored("durationMs")]
            self.assertEqual(sorted(durable - set(stored)), [], "lost")
            self.assertEqual(len(stored), len(set(stored)), "stored twice")
            self.assertLessEqual(set(stored), set(range(begun)))
            self.assertEqual(said.split()[1:3], ["0", "0"], "nothing is dropped, nothing refused")

    def suffer(self, trouble):
        """Starts and kills the client until it was killed often enough with a request under way."""
        dice, durable, begun = random.Random(7), set(), 0
        trouble.fate = chance(7)
        while trouble.kills < kills():
            with self.probe(trouble.url, *SOON) as trouble.victim:
                for _ in range(dice.randint(1, 3)):
                    begun += 1
                    if trouble.victim.say("record", "failed", "r1", f"durationMs={begun - 1}") == "done":
                        durable.add(begun - 1)
                trouble.victim.tell("flush")
                if dice.random() < 0.9:
                    trouble.victim.hear()
                trouble.victim.kill()
        return durable, begun

    def flush_all(self, probe):
        """Flushes until the queue is empty."""
        for _ in range(1000):
            said = probe.say("flush")
            if said.startswith("0 "):
                return said
            probe.say("wait", "20")
        raise AssertionError(f"events are left in the queue: {said}")


class TypeScript(Behaviour, unittest.TestCase):
    program = staticmethod(typescript)
    settings, state = (), "state"

    def test_numbers_are_made_whole(self):
        with Service() as service, self.probe(service.url, *SOON) as probe:
            probe.say("record", "failed", "r1", "durationMs=7.6", "bytes=0.4")
            probe.say("record", "failed", "r2", "durationMs=none")
            self.assertEqual(probe.say("flush"), "0 0 0 0")
            self.assertEqual(service.stored("durationMs, bytes", order="seq"), ["8 0", "- -"])


    def test_a_timer_that_stood_still_while_the_device_slept(self):
        with Service() as service, Trouble(service) as trouble:
            trouble.fate = lambda left=iter([503]): next(left, "pass")
            with self.probe(trouble.url, "base=600000", "delay=1") as probe:
                probe.say("record", "ready", "r1")
                self.assertEqual(probe.say("flush"), "1 0 0 1")
                probe.say("clock", "3600000")
                probe.say("record", "ready", "r2")
                self.settles(probe)
            self.assertEqual(service.stored("release", order="seq"), ["r1", "r2"])

    def test_consent_that_is_given_again_in_the_same_process(self):
        root = typescript()[1].parent.parent
        again = """
            const [root, folder] = process.argv.slice(2), { Uptake } = require(root + '/src/uptake.js')
            const storage = require(root + '/src/files.js').files(folder)
            const open = () => Uptake.open({ url: 'http://127.0.0.1:1', storage, app: 'a', appVersion: '1', platform: 'ios' });
            (async () => {
              const first = await open()
              await first.close({ forget: true })
              const second = await open(), third = await open()
              console.log(first.device !== second.device, second.device === third.device)
              process.exit()
            })()"""
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder, "again.js")
            script.write_text(again)
            said = subprocess.run(["node", script, root, f"{folder}/queue"], capture_output=True, text=True, timeout=60)
            self.assertEqual(said.stdout, "true true\n", said.stderr)

    def test_a_clock_that_was_never_set(self):
        with Service() as service, self.probe(service.url, *SOON) as probe:
            probe.say("clock", f"-{int(time.time() * 1000)}")
            probe.say("record", "ready", "r1")
            self.assertEqual(probe.say("flush"), "0 0 0 0")
            self.assertEqual(service.stored("received - at"), ["0"])


class TypeScriptInKeysAndValues(Behaviour, unittest.TestCase):
    """As in React Native and Capacitor, whose stores write a value whole or not at all."""
    program = staticmethod(typescript)
    settings, state = ("storage=keyValue",), "keys/uptake.state"
    #: Each value has a file of its own: none may be written.
    room = 10
    test_a_torn_queue = None

    def kept(self):
        return json.loads(pathlib.Path(f"{self.folder}/queue/keys/index").read_text())


class Stopped:
    """Languages in which work can be stopped from outside."""

    def test_a_worker_that_the_system_stops(self):
        with Service() as service, self.probe(service.url, *SOON) as probe:
            self.assertEqual(probe.say("stopped"), "expired")
            self.assertEqual(probe.say("flush"), "0 0 0 0")
            self.assertEqual(service.stored("stage, outcome", order="seq"), ["wakeStarted -", "wakeFinished expired"])


class Swift(Stopped, Behaviour, unittest.TestCase):
    #: The reason alone.
    UNANSWERED = "."

    program = staticmethod(swift)
    settings, state = (), "state"


class Kotlin(Stopped, Behaviour, unittest.TestCase):
    program = staticmethod(kotlin)
    settings, state = (), "state"

    def test_the_glue_for_android_never_fails_the_app(self):
        with Service() as service, self.probe(service.url, *SOON) as probe:
            key, away = service.require_key(), pathlib.Path(self.folder, "app")
            away.mkdir()
            (away / "uptake").touch()
            first, second, third, fourth, runs, crashes, problem, exists = probe.say("glue", str(away), service.url, key).split("|")
            self.assertEqual((first, second, third, fourth), ("SUCCESS",) * 4, "the worker's results")
            measured = ", silentPush, bgRefresh"
            self.assertEqual(runs, "null, null" + measured + ", null, null" + measured, "the update is fetched all the same")
            self.assertEqual((crashes, exists), ("", "false"))
            self.assertIn("cannot be made a folder", problem)
            stages = ["check r1", "pushReceived -", "wakeStarted r1", "wakeFinished -", "check store:1.0", "wakeStarted store:1.0", "wakeFinished -"]
            self.assertEqual(service.stored("stage, release", order="seq"), stages)


class Adapters(unittest.TestCase):
    """What becomes of the callbacks of updaters' SDKs; clients/typescript/test/adapters.ts names their sources."""

    #: By SDK, in the order of events: stage, release, trigger, reason.
    EXPECTED = {
        "codePush": ["check store:1.0 unknown -", "wakeStarted store:1.0 bgRefresh -", "available v1 bgRefresh -",
                     "downloadStarted v1 bgRefresh -", "downloadCompleted v1 bgRefresh -", "ready v1 bgRefresh -",
                     "wakeFinished - bgRefresh -", "applied v1 unknown -", "check v1 unknown -", "confirmed v1 unknown -",
                     "available v2 foreground -", "downloadStarted v2 foreground -", "failed v2 foreground Error: offline",
                     "rolledBack v2 foreground -"],
        "expo": ["check store:1.0 unknown -", "wakeStarted store:1.0 bgRefresh -", "available u1 bgRefresh -",
                 "downloadStarted u1 bgRefresh -", "downloadCompleted u1 bgRefresh -", "ready u1 bgRefresh -",
                 "wakeFinished - bgRefresh -", "applied u1 unknown -", "check u1 unknown -", "available u2 foreground -",
                 "downloadStarted u2 foreground -", "downloadCompleted u2 foreground -", "ready u2 foreground -",
                 "available u1 foreground -", "downloadStarted u1 foreground -", "failed u1 foreground Error: offline"],
        "hotUpdater": ["check store:1.0 unknown -", "available b1 foreground -", "downloadStarted b1 foreground -",
                       "downloadCompleted b1 foreground -", "ready b1 foreground -", "applied b1 unknown -", "check b1 unknown -",
                       "confirmed b1 unknown -", "available b2 foreground -", "downloadStarted b2 foreground -",
                       "failed b2 foreground Error: updateBundle", "rolledBack b2 unknown -", "rolledBack b3 unknown -"],
        "capgo": ["check store:1.0 unknown -", "available 1.1 foreground -", "downloadStarted 1.1 foreground -",
                  "downloadCompleted 1.1 foreground -", "ready 1.1 foreground -", "failed 1.2 foreground download",
                  "rolledBack 1.3 foreground -", "applied 1.1 unknown -", "check 1.1 unknown -", "confirmed 1.1 unknown -"],
        "swiftpatch": ["failed - unknown rollback: boot loop", "failed - unknown NETWORK_ERROR", "wakeStarted - bgRefresh -",
                       "available h1 bgRefresh -", "ready h1 bgRefresh -", "wakeFinished - bgRefresh -",
                       "rolledBack h2 unknown boot loop", "rolledBack h1 unknown boot loop"],
    }

    def test_callbacks_become_stages(self):
        with Service() as service, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            program = typescript()[1].with_name("adapters.js")
            subprocess.run(["node", program, folder, service.url], check=True, timeout=60)
            rows = service.stored("app, stage, release, trigger, reason", order="seq")
            for app, expected in self.EXPECTED.items():
                with self.subTest(app=app):
                    self.assertEqual([row.removeprefix(app + " ") for row in rows if row.startswith(app + " ")], expected)


class Sources(unittest.TestCase):
    #: What an app takes in: the client with one storage, and without adapters.
    PARTS = [["typescript/src/uptake.ts", "typescript/src/files.ts"], ["typescript/src/uptake.ts", "typescript/src/keyValue.ts"],
             ["swift/Sources/Uptake/*.swift"], ["kotlin/src/*.kt"], ["dart/lib/*.dart"]]

    def test_each_client_has_420_lines_of_code_at_most(self):
        for parts in self.PARTS:
            with self.subTest(parts=parts):
                texts = [path.read_text() for part in parts for path in SOURCES.glob(part)]
                self.assertLessEqual(sum(is_code(line.strip()) for text in texts for line in text.splitlines()), 420)


def is_code(line):
    return line != "" and not line.startswith(("//", "/*", "*"))


if __name__ == "__main__":
    unittest.main()
