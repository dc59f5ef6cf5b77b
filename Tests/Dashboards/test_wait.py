"""scripts/wait-for-verdict against real services."""
import argparse
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import signal
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

    def test_an_empty_release_is_none(self):
        """As of a variable that is not set: the newest release would be asked about in its place."""
        service, release = self.place("goOn")
        for more in ([], ["--release", release]):
            done = self.wait(service, "", *more)
            self.assertEqual((done.returncode, "a --release is empty" in done.stderr), (2, True), done.stdout + done.stderr)

    def test_an_objective_that_is_not_known_is_said(self):
        found = row("goOn", "healthy")
        found["reasons"] = [*found["reasons"], {"decision": "goOn", "subject": "objective", "sentence": "the objective is not known", "value": None}]
        asked, url = self.answering(found)
        self.assertEqual(self.wait(None, "2.0", url=url).stdout.splitlines()[1:], ["uptake: 2.0 on production: the objective is not known"])

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

    def test_what_only_a_person_changes_ends_at_once(self):
        """Somebody halted it while the gate waited, or published a newer one: an hour more changes nothing, and silence is no leave to go on."""
        for condition in ("halted", "replaced"):
            for require in ("go-on", "no-stop"):
                with self.subTest(condition=condition, require=require):
                    asked, url = self.answering(row("wait", condition))
                    done = self.wait(None, "2.0", "--require", require, "--wait", "60s", url=url)
                    self.assertEqual((done.returncode, len(asked)), (4, 1), done.stdout)
                    self.assertIn("no waiting changes that", done.stdout)

    def test_a_halt_on_one_platform_ends_it(self):
        """The verdict is about the others then, and whoever halted it does not want the pipeline to widen it everywhere."""
        warning = {"code": "halted_apart", "message": "2.0 on production was halted on ios, and goes on elsewhere"}
        for decision, ends in (("goOn", 4), ("wait", 4), ("stop", 3)):
            for require in ("go-on", "no-stop"):
                with self.subTest(decision=decision, require=require):
                    asked, saved = [], pathlib.Path(self.folder.name) / "apart.json"
                    answer = {"data": [row(decision, "healthy", platforms=["android", ""])], "warnings": [warning]}
                    server = listening(self, lambda handler: asked.append(handler.path) or (200, {}, answer))
                    done = self.wait(None, "2.0", "--require", require, "--wait", "60s", "--save", saved, url=f"http://127.0.0.1:{server.server_port}")
                    self.assertEqual((done.returncode, len(asked)), (ends, 1), done.stdout)
                    self.assertIn("2.0 on production (android, others): ", done.stdout)
                    self.assertEqual(done.stdout.count(warning["message"]), 1, done.stdout)
                    self.assertEqual(json.loads(saved.read_text())["data"][0]["decision"], "wait" if ends == 4 else "stop")

    def test_the_others_go_on_where_they_are_named(self):
        service, release = self.place("goOn")
        url = f"{service.url}/v1/releases/{release}"
        own = json.loads(get(url + f"?app={APP}")[1]) | {"platform": "ios"}
        own["rollout"] = [{"at": own["publishedAt"], "percent": 100}, {"at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "percent": 0}]
        self.assertEqual(get(url, {"Content-Type": "application/json"}, json.dumps(own).encode(), "PUT")[0], 200)
        self.addCleanup(get, url + f"?app={APP}&platform=ios", None, None, "DELETE")
        done = self.wait(service, release, "--wait", "60s")
        self.assertEqual((done.returncode, "was halted on ios" in done.stdout), (4, True), done.stdout)
        self.assertEqual(self.wait(service, release, "--wait", "60s", "--platform", "ios").returncode, 4)
        done = self.wait(service, release, "--platform", "android")
        self.assertNotIn("was halted on ios", done.stdout)
        self.assertIn(f"{release} on production (android): ", done.stdout)

    def test_a_release_that_waits_beside_one_that_is_replaced(self):
        """Time may decide on one of them, and there is nothing to go on with for the other."""
        for require in ("go-on", "no-stop"):
            asked, url = self.answering(row("wait", "replaced"), row("wait", "unsettled"))
            done = self.wait(None, "1.0", "--release", "2.0", "--require", require, url=url)
            self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (4, "uptake: nothing was decided in 2s"), done.stdout)

    def test_a_halt_that_ends_by_itself_is_waited_for(self):
        asked, url = self.answering(row("wait", "halted", lookAgainAt="2025-03-01T08:00:00Z"))
        self.assertEqual(self.wait(None, "2.0", url=url).returncode, 4)
        self.assertGreater(len(asked), 1)

    def test_another_release_may_still_be_stopped(self):
        """Of one that is replaced and one that waits the second may come to harm."""
        asked, url = self.answering(row("wait", "replaced"), row("wait", "unsettled"))
        self.assertEqual(self.wait(None, "1.0", "--release", "2.0", url=url).returncode, 4)
        self.assertGreater(len(asked), 2)

    def test_a_service_that_is_gone_says_no_stop_either(self):
        answers, output = iter([(200, {}, {"data": [row("goOn", "healthy")]})]), pathlib.Path(self.folder.name) / "gone"
        output.write_text("")
        server = listening(self, lambda handler: next(answers, (503, {}, {"error": {"code": "busy", "message": "it is busy"}})))
        done = self.wait(None, "2.0", "--require", "no-stop", "--wait", "6s", url=f"http://127.0.0.1:{server.server_port}", GITHUB_OUTPUT=str(output))
        self.assertEqual((done.returncode, output.read_text()), (1, ""), done.stdout)
        self.assertRegex(done.stdout, r"nobody answered the last \d times: what happened since is not known")

    def test_devices_that_are_silent_say_no_stop_either(self):
        """What takes events in may have stopped, or the release starts on no device: the next step would go to more of them unseen."""
        stale = row("wait", "stale", reasons=[{"condition": "stale", "sentence": "no device was heard of for 7.0h"}])
        behind = row("wait", "undone", reasons=[{"condition": "undone", "sentence": "they run 1.0"}, *stale["reasons"]])
        warning = {"code": "silent_fleet", "message": "no device was heard of since noon"}
        rows = [(stale, [], 4), (behind, [], 4), (row("goOn", "healthy"), [warning], 4), (row("wait", "unsettled"), [warning], 4),
                (row("stop", "crashing"), [warning], 3), (row("goOn", "healthy"), [{"code": "backfilled", "message": "loaded"}], 0)]
        for answer, warnings, status in rows:
            with self.subTest(answer["condition"], warnings=warnings):
                server = listening(self, lambda handler: (200, {}, {"data": [answer], "warnings": warnings}))
                url, output = f"http://127.0.0.1:{server.server_port}", pathlib.Path(self.folder.name) / "output"
                output.write_text("")
                done = self.wait(None, "2.0", "--require", "no-stop", url=url, GITHUB_OUTPUT=str(output))
                self.assertEqual((done.returncode, done.stderr), (status, ""), done.stdout)
                self.assertEqual("nobody knows whether the release harms: no device was heard of" in done.stdout, status == 4, done.stdout)
                self.assertEqual(output.read_text(), f"decision={answer['decision'] if status != 4 else 'wait'}\n")

    def test_devices_that_speak_again_are_enough(self):
        warned = {"data": [row("wait", "unsettled")], "warnings": [{"code": "silent_fleet", "message": "no device was heard of since noon"}]}
        answers = iter([(200, {}, warned)])
        server = listening(self, lambda handler: next(answers, (200, {}, {"data": [row("wait", "unsettled")], "warnings": []})))
        done = self.wait(None, "2.0", "--require", "no-stop", url=f"http://127.0.0.1:{server.server_port}")
        self.assertEqual((done.returncode, "no stop is no leave to go on" in done.stdout), (0, True), done.stdout)

    def test_an_answer_that_ends_amid_is_asked_for_again(self):
        """As of a service that starts anew."""
        answers = iter([(200, {"Content-Length": "5000"}, {}), (200, {}, {"data": [row("goOn", "healthy")]})])
        server = listening(self, lambda handler: next(answers))
        done = self.wait(None, "2.0", url=f"http://127.0.0.1:{server.server_port}")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def test_the_log_says_what_would_have_to_happen(self):
        asked, url = self.answering(row("wait", "unsettled", wouldChange="a limit that so few can hold"))
        done = self.wait(None, "2.0", url=url)
        self.assertEqual(done.stdout.splitlines(), [
            "uptake: 2.0 on production: wait: it is unsettled", "uptake: 2.0 on production: would change it: a limit that so few can hold",
            "uptake: nothing was decided in 2s"])

    def test_of_too_few_devices_it_says_that_no_longer_wait_helps(self):
        """It waits all the same: a stop may come at any time."""
        asked, url = self.answering(row("wait", "unsettled", isTooSmall=True))
        done = self.wait(None, "2.0", url=url)
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (4, (
            "uptake: nothing was decided in 2s, and go on does not come for so few devices: give a --limit that they can hold, or watch for harm"
            " alone with --require no-stop")))
        self.assertGreater(len(asked), 1)

    def test_who_sees_likely_harm_is_not_told_to_raise_a_limit(self):
        asked, url = self.answering(row("wait", "unsettled", isTooSmall=True, isLikelyHarmful=True))
        self.assertEqual(self.wait(None, "2.0", url=url).stdout.splitlines()[-1], "uptake: nothing was decided in 2s")

    def test_harm_that_is_likely_is_said_before_what_to_do(self):
        """The exit status is that of a wait, as little is certain; who reads the log is warned."""
        asked, url = self.answering(row("wait", "unsettled", isLikelyHarmful=True))
        done = self.wait(None, "2.0", url=url)
        self.assertEqual((done.returncode, done.stdout.splitlines()[0]),
                         (4, "uptake: 2.0 on production: likely harm, wait: it is unsettled"), done.stdout)

    def test_what_the_answer_warns_of_is_said_once_below_it(self):
        """Whatever its numbers come to at the next look; and it is kept for the comment."""
        saved, asked = pathlib.Path(self.folder.name) / "warned.json", []
        def answer(handler):
            asked.append(handler.path)
            late = {"code": "cutoff_late", "message": f"the cutoff lies {len(asked)}.5h back"}
            return 200, {}, {"data": [row("wait", "unsettled")], "warnings": [{"code": "checks_only", "message": "all 63 updates are known from checks"}, late]}
        done = self.wait(None, "2.0", "--save", saved, url=f"http://127.0.0.1:{listening(self, answer).server_port}")
        self.assertGreater(len(asked), 1)
        self.assertEqual(done.stdout.splitlines(), [
            "uptake: 2.0 on production: wait: it is unsettled", "uptake: warning: all 63 updates are known from checks",
            "uptake: warning: the cutoff lies 1.5h back", "uptake: nothing was decided in 2s"])
        self.assertEqual(json.loads(saved.read_text())["warnings"], ["all 63 updates are known from checks", f"the cutoff lies {len(asked)}.5h back"])

    def test_it_says_now_and_then_that_it_still_waits(self):
        """Some pipelines end a step that prints nothing for ten minutes."""
        loader = importlib.machinery.SourceFileLoader("wait_for_verdict", str(ROOT / "scripts/wait-for-verdict"))
        script = importlib.util.module_from_spec(importlib.util.spec_from_loader("wait_for_verdict", loader))
        loader.exec_module(script)
        self.assertLess(script.QUIET, 600)
        log, said = script.Log(argparse.Namespace(wait=3600)), io.StringIO()
        with contextlib.redirect_stdout(said):
            log.tell([row("wait", "unsettled")], "wait")
            log.tell([row("wait", "unsettled")], "wait")
            log.spoke -= script.QUIET
            log.tell([row("wait", "unsettled")], "wait")
            log.tell([], "none")
            log.tell([row("wait", "unsettled")], "wait")
        line = "uptake: 2.0 on production: wait: it is unsettled"
        self.assertEqual(said.getvalue().splitlines(), [line, "uptake: still wait after 0s of 60m", line])

    def test_limits_are_passed_on(self):
        """A fleet too small for those that past releases set has a gate, too."""
        asked, url = self.answering(row("goOn", "healthy"))
        self.wait(None, "2.0", "--limit", "5%", "--within", "72h", url=url, UPTAKE_HARM_LIMIT="0.03")
        self.assertEqual(asked, ["/v1/answers/verdict?release=2.0&channel=production&limit=5%25&harm-limit=0.03&within=72h"])
        service, release = self.place("goOn")
        done = self.wait(service, release, "--limit", "much")
        self.assertEqual((done.returncode, "is not a share" in done.stdout), (2, True), done.stdout)

    def test_a_key_that_is_none_is_not_printed(self):
        """A secret that is set from a file ends with a line break; Python's own words about a header that cannot be sent quote it."""
        seen = []
        server = listening(self, lambda handler: seen.append(handler.headers.get("Authorization")) or (200, {}, {"data": [row("goOn", "healthy")]}))
        url = f"http://127.0.0.1:{server.server_port}"
        self.assertEqual(self.wait(None, "2.0", url=url, UPTAKE_KEY="secret\n").returncode, 0)
        self.assertEqual(seen, ["Bearer secret"])
        for key in ("secret\nsecret", "secret secret", "secret\u2026"):
            done = self.wait(None, "2.0", url=url, UPTAKE_KEY=key)
            self.assertEqual((done.returncode, "UPTAKE_KEY is no key" in done.stderr), (2, True), done.stderr)
            self.assertNotIn("secret", done.stdout + done.stderr)

    def test_a_key_that_is_not_set_is_named(self):
        server = listening(self, lambda handler: (401, {}, {"error": {"code": "no_key", "message": "a key is needed"}}))
        done = self.wait(None, "2.0", url=f"http://127.0.0.1:{server.server_port}", UPTAKE_KEY="")
        self.assertEqual((done.returncode, "UPTAKE_KEY is not set, or empty" in done.stdout), (2, True), done.stdout)

    def test_an_address_that_moved_for_good_ends_at_once(self):
        server = listening(self, lambda handler: (301, {"Location": "https://uptake.example.com/v1"}, {}))
        done = self.wait(None, "2.0", "--wait", "60s", url=f"http://127.0.0.1:{server.server_port}")
        self.assertEqual((done.returncode, "leads to https://uptake.example.com/v1" in done.stdout), (2, True), done.stdout)

    def test_a_job_that_is_cancelled_leaves_a_line(self):
        asked, url = self.answering(row("wait", "unsettled"))
        started = subprocess.Popen([ROOT / "scripts/wait-for-verdict", "--release", "2.0", "--channel", "production"], stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True, env={"PATH": PATH, "UPTAKE_URL": url})
        self.assertIn("wait", started.stdout.readline())
        started.send_signal(signal.SIGINT)
        self.assertEqual((started.communicate(timeout=60)[0], started.returncode), ("uptake: cancelled while it waited: nothing is decided\n", 130))

    def answering(self, *answers):
        """What was asked, and the address of a service that gives these rows, one to each release in turn."""
        asked = []
        def answer(handler):
            asked.append(handler.path)
            return 200, {}, {"data": [answers[(len(asked) - 1) % len(answers)]]}
        return asked, f"http://127.0.0.1:{listening(self, answer).server_port}"


def row(decision, condition, **more):
    return {"release": "2.0", "channel": "production", "decision": decision, "condition": condition, "lookAgainAt": None,
            "reasons": [{"sentence": f"it is {condition}"}], **more}
