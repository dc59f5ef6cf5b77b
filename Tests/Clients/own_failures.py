"""What clients of our own do where the phone, the network or the app itself fails: part of what test_own.py runs for each."""

import os
import pathlib
import re
import subprocess

from own import LATE, SOON, Trouble
from service import Service, eventually


class Failures:
    #: Bytes that a file may have on a full disk; None: ten more than the queue has, so that what comes next is torn.
    room = None

    def test_a_full_disk_costs_no_update_and_no_event(self):
        with self.probe("http://127.0.0.1:1", *SOON) as probe:
            probe.say("record", "failed", "r1")
            probe.limit_files(self.room or os.path.getsize(f"{self.folder}/queue/queue") + 10)
            self.assertEqual(probe.say("backgroundRefresh", "", "ready"), "newData", "the work is done")
            probe.limit_files()
            probe.say("record", "failed", "r3")
            probe.kill()
        with Service() as service:
            with self.probe(service.url, *SOON) as probe:
                self.flush_all(probe)
            self.assertEqual(service.stored(order="seq"), [
                "failed r1 unknown", "wakeStarted - bgRefresh", "ready r2 bgRefresh", "wakeFinished - bgRefresh", "failed r3 unknown"])

    def test_a_broken_state_is_a_new_device(self):
        for number, text in enumerate([b"", b"\0\0\0\0", b'{"device":"ab', b"device\\u00", b"null", b"[]"]):
            with self.subTest(text=text):
                devices = []
                for start in range(3):
                    with self.probe("http://127.0.0.1:1", *SOON, folder=f"state{number}") as probe:
                        devices.append(probe.say("device"))
                    if start == 0:
                        with open(f"{self.folder}/state{number}/{self.state}", "wb") as state:
                            state.write(text)
                self.assertRegex(devices[1], "^[0-9a-f]{32}$")
                self.assertNotEqual(devices[0], devices[1])
                self.assertEqual(devices[1], devices[2])

    def test_the_device_of_another_client(self):
        for said in ("device=d1", "device=d2"):
            with self.probe("http://127.0.0.1:1", said) as probe:
                self.assertEqual(probe.say("device"), "d1", "the first one stays")

    def test_a_folder_that_is_not_there_for_a_moment(self):
        with self.probe("http://127.0.0.1:1", *SOON) as probe:
            device = probe.say("device")
            probe.say("record", "ready", "r1")
        folder, away = f"{self.folder}/queue", f"{self.folder}/away"
        os.rename(folder, away)
        # Neither can it be made: what stands in its place is no folder.
        pathlib.Path(folder).touch()
        words = [*self.program(), folder, "http://127.0.0.1:1", *SOON, *self.settings]
        self.assertNotEqual(subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=60).returncode, 0)
        os.remove(folder)
        os.rename(away, folder)
        with self.probe("http://127.0.0.1:1", *SOON) as probe:
            self.assertEqual([probe.say("device"), probe.say("status")], [device, "1 0 0 0"])

    def test_work_that_fails_while_the_app_is_in_use(self):
        with self.probe("http://127.0.0.1:1", *SOON, "problems=1") as probe:
            self.assertRegex(probe.say("silentPush", "active", "false", "throws"), "^problem: the work of a wake-up failed: ")
            self.assertEqual(probe.hear(), "failed")

    def test_nothing_is_sent_or_kept_where_consent_ends(self):
        with Service() as service, self.probe(service.url, "base=1", "delay=300") as probe:
            device = probe.say("device")
            probe.say("record", "ready", "r1")
            for _ in range(2):
                self.assertEqual(probe.say("close", "forget"), "done")
                self.assertEqual(probe.say("started", "r1"), "done")
                self.assertEqual(probe.say("screen", "ready", "r1"), "done")
                self.assertEqual(probe.say("backgroundRefresh", "", "ready"), "newData", "the work is done")
                self.assertEqual(probe.say("flush"), "0 0 0 0")
            probe.say("wait", "600")
            self.assertEqual((service.stored(), self.kept()), ([], []))
            with self.probe(service.url, *SOON) as other:
                self.assertNotEqual(other.say("device"), device)

    def kept(self):
        """What is left of the client's folder."""
        return [str(path) for path in pathlib.Path(self.folder).rglob("*")]

    def test_a_request_under_way_ends_where_the_client_is_closed(self):
        with Service() as service, Trouble(service) as trouble, self.probe(trouble.url, "base=1", "delay=1") as probe:
            trouble.fate = lambda: "slow"
            probe.say("record", "ready", "r1")
            self.assertTrue(eventually(lambda: trouble.events), "it is under way")
            probe.say("close", "keep")
            probe.say("record", "ready", "r2")
            self.assertEqual(probe.say("flush"), "0 0 0 0")
            with self.probe(service.url, *SOON) as other:
                self.assertEqual(other.say("status"), "1 0 0 0", "what was kept is sent by the next one")

    def test_a_redirect_is_not_followed(self):
        with Service() as service, Service() as stranger, Trouble(service) as trouble:
            trouble.fate, trouble.elsewhere = lambda: "redirect", stranger.url
            with self.probe(trouble.url, *LATE) as probe:
                probe.say("record", "ready", "r1")
                self.assertEqual(probe.say("flush"), "1 0 0 1")
            self.assertEqual(stranger.stored(), [])

    def test_what_a_firewall_refuses_holds_up_nothing(self):
        with Service() as service, Trouble(service) as trouble:
            trouble.fate = lambda: "firewall"
            bad, more = ("failed", "r0", "reason=<script>"), ("ready", "r4")
            starts = [([bad, ("ready", "r1"), ("ready", "r2"), ("ready", "r3")], "4 0 0 1", []),
                      ([], "1 0 0 1", ["r1", "r2", "r3"]), ([more], "2 0 0 2", ["r1", "r2", "r3"]),
                      ([], "0 0 1 0", ["r1", "r2", "r3", "r4"])]
            for number, (events, said, stored) in enumerate(starts):
                with self.subTest(start=number), self.later(trouble.url) as probe:
                    for event in events:
                        probe.say("record", *event)
                    self.assertEqual(probe.say("flush"), said)
                    self.assertEqual(service.stored("release", order="seq"), stored)

    def test_a_firewall_that_refuses_all_costs_nothing(self):
        with Service() as service, Trouble(service) as trouble:
            trouble.fate = lambda: 403
            for number in range(6):
                with self.later(trouble.url) as probe:
                    if number == 0:
                        probe.say("record", "ready", "r1")
                        probe.say("record", "ready", "r2")
                    self.assertEqual(probe.say("flush"), f"2 0 0 {number + 1}")
            trouble.fate = lambda: "pass"
            with self.later(trouble.url) as probe:
                self.assertEqual(probe.say("flush"), "0 0 0 0")
            self.assertEqual(service.stored("release", order="release"), ["r1", "r2"])

    def later(self, url):
        """A start after the time that was to be waited."""
        path = f"{self.folder}/queue/{self.state}"
        if os.path.exists(path):
            with open(path, "r+b") as state:
                text = re.sub(rb'(notBefore"?[:=])[0-9]+', rb"\g<1>0", state.read())
                state.seek(0)
                state.write(text)
                state.truncate()
        return self.probe(url, *SOON)

    def test_what_is_dropped_is_told(self):
        with self.probe("http://127.0.0.1:1", *LATE, "capacity=20", "problems=1") as probe:
            for _ in range(20):
                self.assertEqual(probe.say("record", "failed", "r1"), "done")
            self.assertEqual(probe.say("record", "failed", "r1"), "problem: 2 of 21 events that wait were dropped, the oldest")
            self.assertEqual(probe.hear(), "done")

    def test_an_app_that_fails_when_it_is_told(self):
        with Service() as service, self.probe(service.url, *SOON, "throws=1") as probe:
            probe.say("record", "failed", "x" * 129)
            self.assertEqual(probe.say("flush"), "0 0 1 0")
            probe.say("record", "ready", "r1")
            self.assertEqual(probe.say("flush"), "0 0 1 0")
            self.assertEqual(service.stored(), ["ready r1 unknown"])

    def test_what_would_be_refused_is_made_to_fit(self):
        with Service() as service, self.probe(service.url, *SOON) as probe:
            probe.say("record", "failed", "r1", "reason=" + "\u00e9" * 300, "durationMs=-7", "bytes=-1", "network=" + "x" * 300)
            self.assertEqual(probe.say("flush"), "0 0 0 0")
            self.assertEqual(service.stored("reason, durationMs, bytes, network"), ["\u00e9" * 128 + " 0 0 " + "x" * 64])

    def test_what_waits_is_sent_when_the_app_leaves_the_screen(self):
        with Service() as service, self.probe(service.url, *SOON) as probe:
            probe.say("screen", "ready", "r1")
            self.settles(probe)
            self.assertEqual(service.stored(), ["ready r1 foreground"])

    def settles(self, probe):
        """Waits until the client has sent all by itself."""
        self.assertTrue(eventually(lambda: probe.say("status") == "0 0 0 0"), "events are left in the queue")
