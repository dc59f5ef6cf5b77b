"""scripts/wait-for-verdict against real services."""
import json
import pathlib
import subprocess
import time

from deciding import PATH, Services, listening
from fleet import APP, ROOT, Service, get, simulated


class Waits(Services):
    def test_ends_as_the_verdict_says(self):
        for decision, status in (("goOn", 0), ("stop", 3), ("wait", 4)):
            with self.subTest(decision):
                service, release = self.place(decision)
                saved = pathlib.Path(self.folder.name) / "saved.json"
                done = self.wait(service, release, "--save", saved)
                self.assertEqual(done.returncode, status, done.stdout + done.stderr)
                self.assertIn(release, done.stdout)
                self.assertEqual(json.loads(saved.read_text())["data"][0]["decision"], decision)

    def test_of_several_releases_the_worst_counts(self):
        service, release = self.place("stop")
        before = next(row["release"] for row in json.loads(get(service.url + "/v1/releases")[1])["data"] if row["release"] != release)
        done = self.wait(service, before, "--release", release)
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertIn(f"{before} on production", done.stdout)

    def test_no_stop_is_enough_where_that_is_asked(self):
        for decision, status in (("goOn", 0), ("wait", 0), ("stop", 3)):
            with self.subTest(decision):
                self.assertEqual(self.wait(*self.place(decision), "--require", "no-stop").returncode, status)

    def test_a_stop_is_heard_while_it_waits(self):
        """Devices begin to crash under a pipeline that would be content with silence."""
        place = pathlib.Path(self.folder.name) / "turns"
        place.mkdir()
        service = Service(simulated(place, 40))
        self.addCleanup(service.close)
        release = json.loads(get(service.url + "/v1/answers/verdict?channel=production")[1])["data"][0]["release"]
        started = subprocess.Popen(
            [ROOT / "scripts/wait-for-verdict", "--release", release, "--channel", "production", "--require", "no-stop", "--wait", "100s",
             "--every", "1s"], stdout=subprocess.PIPE, text=True, env={"PATH": PATH, "UPTAKE_URL": service.url})
        self.assertIn("wait", started.stdout.readline())
        at = int(time.time() * 1000)
        status, text = service.send(*(
            {"app": APP, "device": f"bad-{number}", "stage": stage, "release": release, "at": at - late}
            for number in range(100) for stage, late in (("applied", 600_000), ("crashed", 300_000))))
        self.assertEqual(status, 200, text)
        self.assertEqual(started.wait(120), 3)
        self.assertRegex(started.communicate()[0], "stop: .* crashed")

    def test_what_is_wrong_is_told_at_once(self):
        service, release = self.place("goOn")
        unknown = self.wait(service, "9.9.9", "--wait", "60s")
        self.assertEqual((unknown.returncode, "9.9.9" in unknown.stdout), (2, True), unknown.stdout)
        for wrong in (["--wait", "soon"], ["--require", "yes"]):
            self.assertEqual(self.wait(service, release, *wrong).returncode, 2)
        for url in ("", "file:///etc/passwd", "uptake.example.com"):
            self.assertEqual(self.wait(service, release, "--url", url).returncode, 2)

    def test_an_address_with_the_version_is_taken(self):
        service, release = self.place("goOn")
        for end in ("/", "/v1", "/v1/"):
            with self.subTest(end):
                self.assertEqual(self.wait(service, release, url=service.url + end).returncode, 0)

    def test_what_no_waiting_changes_ends_at_once(self):
        """By what the service answers; an hour would not have changed the first four."""
        cases = [(404, "not_found", 2), (404, "unknown_question", 2), (400, "bad_request", 2), (403, "wrong_scope", 2),
                 (404, "nothing_stored", 1), (404, None, 1), (503, "busy", 1), (429, "too_many_requests", 1)]
        for status, code, ends in cases:
            with self.subTest(status=status, code=code):
                asked = []
                def answer(handler):
                    asked.append(handler.path)
                    return status, {}, {"error": {"code": code, "message": f"it is {code}"}} if code else "of somebody else"
                server = listening(self, answer)
                # Long enough for a second question, though the first one takes its time.
                done = self.wait(None, "2.0", "--wait", "5s", url=f"http://127.0.0.1:{server.server_port}")
                self.assertEqual(done.returncode, ends, done.stdout)
                self.assertEqual(len(asked) == 1, ends == 2, asked)
                self.assertIn(f"it is {code}" if code else "answer 404", done.stdout)

    def test_an_address_where_nothing_is_ends_at_once(self):
        service, release = self.place("goOn")
        done = self.wait(service, release, "--wait", "60s", url=service.url + "/elsewhere")
        self.assertEqual((done.returncode, done.stdout), (2, "uptake: there is nothing at /elsewhere/v1/answers/verdict\n"))

    def test_nobody_answers(self):
        service, release = self.place("goOn")
        done = self.wait(service, release, url="http://127.0.0.1:1")
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"no verdict on {release} yet: no answer from http://127.0.0.1:1: ", done.stdout)

    def test_an_address_without_a_scheme_is_none(self):
        service, release = self.place("goOn")
        done = self.wait(service, release, url=service.url.removeprefix("http://"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("is no address of a service: it begins with https:// or http://", done.stderr)

    def test_the_key_goes_to_the_service_and_nowhere_else(self):
        """A redirect is not followed: whoever it names would be sent the key."""
        seen = []
        def answer(handler):
            seen.append((handler.path, handler.headers.get("Authorization")))
            return 302, {"Location": f"http://127.0.0.1:{server.server_port}/elsewhere"}, {}
        server = listening(self, answer)
        _, release = self.place("goOn")
        done = self.wait(None, release, url=f"http://127.0.0.1:{server.server_port}", UPTAKE_KEY="secret")
        self.assertEqual(done.returncode, 1)
        self.assertTrue(all(path.startswith("/v1/answers/verdict") and key == "Bearer secret" for path, key in seen), seen)
        self.assertNotIn("secret", done.stdout + done.stderr)

    def test_a_name_says_nothing_to_the_pipeline(self):
        """A channel is named by whoever has an ingest key; a line that begins with :: is a command to GitHub."""
        row = {"release": "2.0", "channel": "x\n::add-mask::a\r\n::stop-commands::b\x1b[2J\u2028", "decision": "goOn",
               "reasons": [{"sentence": "fine\n::error::c"}]}
        server = listening(self, lambda handler: (200, {}, {"data": [row]}))
        done = self.wait(None, "2.0", url=f"http://127.0.0.1:{server.server_port}")
        self.assertEqual(done.returncode, 0)
        self.assertEqual([line for line in done.stdout.splitlines() if not line.startswith("uptake: ")], [])
        self.assertNotRegex(done.stdout, "[\r\x1b\u2028]")
