"""action.yml, with scripts/comment-verdict: waits, says what is decided, and keeps one comment."""
import argparse
import json
import pathlib
import re
import subprocess
import tempfile
import time
import urllib.parse

import yaml

from deciding import PATH, RECIPES, Services, listening
from fleet import ROOT, get


class GitHub:
    """The routes of GitHub's REST API that a comment needs (docs: REST API, issue comments), with comments of others before."""

    def __init__(self, test):
        self.comments = [{"id": n, "body": "hello", "user": {"type": "User"}} for n in range(130)]
        self.calls = []
        self.url = f"http://127.0.0.1:{listening(test, self.answer).server_port}"

    def answer(self, handler):
        url = urllib.parse.urlsplit(handler.path)
        self.calls.append((handler.command, url.path, handler.headers.get("Authorization")))
        if handler.command == "GET":
            asked = dict(urllib.parse.parse_qsl(url.query))
            size, page = int(asked["per_page"]), int(asked["page"])
            return 200, {}, self.comments[size * (page - 1):size * page]
        if handler.command == "POST":
            self.comments.append({"id": 1000 + len(self.comments), "body": handler.body["body"], "user": {"type": "Bot"}})
            return 201, {}, self.comments[-1]
        [one] = [comment for comment in self.comments if str(comment["id"]) == url.path.rsplit("/")[-1]]
        one["body"] = handler.body["body"]
        return 200, {}, one

    def told(self):
        return [comment["body"] for comment in self.comments if comment["user"]["type"] == "Bot"]


class Action(Services):
    """action.yml as GitHub runs a composite action: its inputs put in, its step by bash."""

    action = yaml.safe_load((ROOT / "action.yml").read_text())

    def run_action(self, github, service, release, **more):
        inputs = {name: one.get("default", "") for name, one in self.action["inputs"].items()}
        inputs |= {"url": service.url, "key": "k", "release": release, "channel": "production", "wait": "2s", "every": "1s", "token": "t", **more}
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder.name))
        (folder / "event.json").write_text(json.dumps({"pull_request": {"number": 7}}))
        [step] = self.action["runs"]["steps"]
        environment = {name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda match: inputs[match[1]], value)
                       for name, value in step["env"].items()}
        self.assertNotIn("${{", step["run"], "what is put into a script is run by it")
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], capture_output=True, text=True, timeout=180, cwd=folder,
            env={"PATH": PATH, **environment, "GITHUB_ACTION_PATH": str(ROOT), "GITHUB_OUTPUT": str(folder / "output"),
                 "GITHUB_STEP_SUMMARY": str(folder / "summary"), "GITHUB_EVENT_PATH": str(folder / "event.json"),
                 "GITHUB_API_URL": github.url, "GITHUB_REPOSITORY": "me/app"})
        read = lambda name: (folder / name).read_text() if (folder / name).exists() else ""
        return done, read("output"), read("summary")

    def test_waits_and_comments(self):
        github = GitHub(self)
        for decision, status, word in (("stop", 3, "Stop"), ("goOn", 0, "Go on"), ("wait", 4, "Wait")):
            with self.subTest(decision):
                service, release = self.place(decision)
                done, output, summary = self.run_action(github, service, release)
                self.assertEqual(done.returncode, status, done.stdout + done.stderr)
                self.assertEqual(output, f"decision={decision}\n")
                self.assertIn(f"**{word}**", summary)
                self.assertIn(github.told()[-1] if decision != "goOn" else github.told()[0], summary)
        self.assertEqual({key for _, _, key in github.calls}, {"Bearer t"})
        self.assertEqual({path for command, path, _ in github.calls if command == "POST"}, {"/repos/me/app/issues/7/comments"})

    def test_a_later_verdict_takes_the_place_of_the_comment(self):
        github = GitHub(self)
        service, release = self.place("stop")
        for _ in range(3):
            self.run_action(github, service, release)
        self.assertEqual(len(github.told()), 1)
        self.assertRegex(github.told()[0], r"\| 🛑 \*\*Stop\*\* \| .* crashed .* \| \d+\.\d % \(.*\) \| \d+\.\d % \|")
        github.comments.insert(0, {"id": 5000, "body": github.told()[0], "user": {"type": "User"}})
        self.run_action(github, service, release)
        self.assertEqual(len(github.told()), 1)

    def test_it_may_be_told_not_to_comment_and_a_comment_that_fails_changes_nothing(self):
        github = GitHub(self)
        service, release = self.place("goOn")
        done, output, summary = self.run_action(github, service, release, comment="false")
        self.assertEqual((done.returncode, github.calls, "Go on" in summary), (0, [], True), done.stderr)
        github.url = "http://127.0.0.1:1"
        done, output, _ = self.run_action(github, service, release)
        self.assertEqual((done.returncode, output), (0, "decision=goOn\n"))
        self.assertIn("::warning::", done.stdout)

    def test_a_verdict_that_nobody_stands_by_is_no_go_on(self):
        """The step fails, as the fleet is silent, or as nobody answered since: so does its comment."""
        verdict = {"release": "2.0", "channel": "p", "decision": "goOn", "condition": "healthy", "events": 1, "devices": 2, "rolloutPercent": 10,
                   "wouldChange": "time", "reasons": [{"decision": "goOn", "subject": "crashes", "sentence": "fine", "value": None, "limit": None}]}
        silent = {"data": [verdict], "warnings": [{"code": "silent_fleet", "message": "no device was heard of since noon"}]}
        gone = iter([(200, {}, {"data": [verdict]})])
        for answer, wait, status, told, word, why in (
                (lambda handler: (200, {}, silent), "2s", 4, "decision=wait\n", "### 2.0 on p: ⏳ **Wait**", "no device was heard of since noon"),
                (lambda handler: next(gone, (503, {}, {})), "6s", 1, "", "### 2.0 on p: ❔ **Not known**", "nobody answered the last")):
            github, server = GitHub(self), listening(self, answer)
            service = argparse.Namespace(url=f"http://127.0.0.1:{server.server_port}")
            done, output, summary = self.run_action(github, service, "2.0", require="no-stop", wait=wait)
            self.assertEqual((done.returncode, output), (status, told), done.stdout)
            [comment] = github.told()
            self.assertIn(word, comment)
            self.assertIn(why, comment.splitlines()[7], comment)
            self.assertIn(comment, summary)

    def test_a_comment_names_the_platforms_that_it_is_about(self):
        text = self.summary({"release": "2.0", "channel": "p", "platforms": ["android", ""], "decision": "goOn", "events": 1, "devices": 2,
                             "rolloutPercent": 10, "wouldChange": "time", "reasons": []})
        self.assertIn("### 2.0 on p (android, others): ", text)

    def test_what_is_within_its_limits_is_no_advice_beside_a_stop(self):
        reasons = [{"decision": word, "subject": "crashes", "sentence": word + " it is", "value": None, "limit": None} for word in ("stop", "goOn")]
        text = self.summary({"release": "2.0", "channel": "p", "decision": "stop", "events": 1, "devices": 2, "rolloutPercent": 10, "wouldChange": "time",
                             "reasons": reasons})
        self.assertIn("| 🛑 **Stop** | stop it is |", text)
        self.assertIn("| besides | goOn it is |", text)
        self.assertNotIn("✅", text)

    def test_a_comment_warns_of_what_the_answer_does(self):
        verdict = {"release": "2.0", "channel": "p", "decision": "goOn", "events": 1, "devices": 2, "rolloutPercent": 10, "wouldChange": "time",
                   "reasons": [{"decision": "goOn", "subject": "crashes", "sentence": "none crashed", "value": None, "limit": None}]}
        text = self.summary(verdict, warnings=["all 63 updates are known from checks @all", "none crashed"])
        self.assertEqual(text.count("Warning: all 63 updates are known from checks"), 1, text)
        self.assertEqual((text.count("none crashed"), "@all" in text), (1, False), text)

    def test_a_name_is_no_markup(self):
        """A release is named by whoever has an ingest key: no picture, no mention, no link, no further column."""
        hostile = "2 | ![x](https://evil.example/a) <img src=x> @everyone `--> **b** www.evil.example"
        text = self.summary({"release": hostile, "channel": "p", "decision": "stop", "events": 1, "devices": 2, "rolloutPercent": None,
                             "wouldChange": hostile, "reasons": [{"decision": "stop", "subject": "crashes", "sentence": hostile, "value": None,
                                                                  "limit": None}]})
        for wrong in ("![", "](", "<img", "@everyone", "://", "www.", "`", "**b**"):
            self.assertNotIn(wrong, text)
        row = [line for line in text.splitlines() if "evil" in line and line.startswith("|")]
        self.assertEqual([line.count("|") for line in row], [5])

    def summary(self, row, **more):
        """Of this verdict, below the mark by which it is found again."""
        file, summary = (pathlib.Path(self.folder.name) / name for name in ("verdict.json", "verdict.md"))
        file.write_text(json.dumps({"data": [row], **more}))
        summary.unlink(missing_ok=True)
        subprocess.run([ROOT / "scripts/comment-verdict", file], check=True, env={"PATH": PATH, "GITHUB_STEP_SUMMARY": str(summary),
                                                                                "GITHUB_EVENT_PATH": "/dev/null"}, capture_output=True)
        return summary.read_text().split("-->", 1)[1]

    def test_harm_that_is_likely_is_said_first(self):
        text = self.summary({"release": "2.0", "channel": "p", "decision": "wait", "isLikelyHarmful": True, "events": 1, "devices": 2,
                             "rolloutPercent": 10, "wouldChange": "time", "reasons": []})
        self.assertTrue(text.strip().startswith("### 2.0 on p: ⚠️ **Likely harm** ⏳ **Wait**"), text)

    def test_the_workflow_uses_it_as_it_is(self):
        workflow = yaml.safe_load((RECIPES / "github-workflow.yml").read_text())
        steps = workflow["jobs"]["rollout"]["steps"]
        [used] = [step for step in steps if "uses" in step]
        self.assertLessEqual(set(used["with"]), set(self.action["inputs"]))
        required = {name for name, one in self.action["inputs"].items() if one["required"]}
        self.assertLessEqual(required, set(used["with"]))
        self.assertEqual(workflow["permissions"]["pull-requests"], "write")
        self.addCleanup(get, f"{self.services['wait'].url}/v1/releases/{urllib.parse.quote(self.label)}?app=com.example.shop", None, None, "DELETE")
        told = []
        for step in [one for one in steps if "run" in one]:
            done, percents = self.run_step(workflow["jobs"]["rollout"], step)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            told.append(percents)
            time.sleep(1.1)
        self.assertEqual(told, [[10], [10, 100], [10, 100, 0]])
        [widening] = [step for step in steps if step.get("env", {}).get("PERCENT") == 100]
        done, percents = self.run_step(workflow["jobs"]["rollout"], widening)
        self.assertEqual((done.returncode != 0, percents), (True, told[-1]), "somebody halted it meanwhile: it stays so")
        self.assertIn(f"{self.label} was halted: nothing is widened", done.stderr)
        # The step of the roll-out before, and a halt at the moment in which its own step is made of what was read.
        service = self.services["wait"].url + "/v1/releases/" + urllib.parse.quote(self.label)
        halted = get(service + "?app=com.example.shop")[1]
        document = json.loads(halted)
        document["rollout"].pop()
        json_type = {"Content-Type": "application/json"}
        get(service, json_type, json.dumps(document).encode(), "PUT")
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder.name))
        (folder / "halted.json").write_text(halted)
        (folder / "jq").write_text(f"""#!/bin/sh
            [ "$1" != --arg ] || curl -sS -o /dev/null -X PUT '{service}' -H 'Content-Type: application/json' -d @{folder}/halted.json
            exec /usr/bin/jq "$@"\n""")
        (folder / "jq").chmod(0o755)
        done, percents = self.run_step(workflow["jobs"]["rollout"], widening, f"{folder}:{PATH}")
        self.assertEqual((done.returncode != 0, percents), (True, told[-1]), done.stdout + done.stderr)
        self.assertIn("changed_meanwhile", done.stdout)
        [publishing] = [step for step in steps if step.get("name") == "Publish to a tenth, and tell Uptake"]
        done, percents = self.run_step(workflow["jobs"]["rollout"], publishing)
        self.assertEqual((done.returncode, percents), (0, told[-1]), "a re-run leaves the halt as it is")

    def test_the_workflow_looks_at_all_publications_of_the_release(self):
        """One platform has its own, as `release halt --platform` makes it; and what was planned is not what is in force."""
        workflow = yaml.safe_load((RECIPES / "github-workflow.yml").read_text())
        steps = {step.get("env", {}).get("PERCENT"): step for step in workflow["jobs"]["rollout"]["steps"]}
        url, at = self.services["wait"].url + "/v1/releases/" + urllib.parse.quote(self.label), "2025-03-0{}T00:00:00Z".format
        def register(platform, *steps):
            body = {"app": "com.example.shop", "platform": platform, "publishedAt": at(1), "rollout": [{"at": at, "percent": p} for at, p in steps]}
            status, text = get(url, {"Content-Type": "application/json"}, json.dumps(body).encode(), "PUT")
            self.assertEqual(status, 200, text)
            self.addCleanup(get, f"{url}?app=com.example.shop" + (f"&platform={platform}" if platform else ""), None, None, "DELETE")
        def percents():
            return {one["platform"]: [step["percent"] for step in one["rollout"]] for one in self.publications()}
        later = "2099-01-01T00:00:00Z"
        register(None, (at(1), 10), (later, 50))
        register("ios", (at(1), 10), (at(2), 0))
        for halt in (at(2), later):
            register("ios", (at(1), 10), (halt, 0))
            done = self.run_bash(workflow["jobs"]["rollout"], steps[100])
            self.assertIn(f"{self.label} was halted on ios: nothing is widened", done.stderr, done.stdout)
            self.assertEqual(percents(), {None: [10, 50], "ios": [10, 0]})
        register("ios")
        self.assertEqual(self.run_bash(workflow["jobs"]["rollout"], steps[100]).returncode, 0)
        self.assertEqual(percents(), {None: [10, 100], "ios": [100, 100]})
        self.assertEqual(self.run_bash(workflow["jobs"]["rollout"], steps[0]).returncode, 0)
        self.assertEqual({platform: shares[-1] for platform, shares in percents().items()}, {None: 0, "ios": 0})

    def test_the_workflow_says_what_it_registered_before_it_was_refused(self):
        """Somebody halts one platform between the two: the other stays widened in Uptake, though the update server is not told."""
        workflow = yaml.safe_load((RECIPES / "github-workflow.yml").read_text())
        [widening] = [step for step in workflow["jobs"]["rollout"]["steps"] if step.get("env", {}).get("PERCENT") == 100]
        url = self.services["wait"].url + "/v1/releases/" + urllib.parse.quote(self.label)
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder.name))
        for platform in ("android", "ios"):
            body = {"app": "com.example.shop", "platform": platform, "publishedAt": "2025-03-01T00:00:00Z",
                    "rollout": [{"at": "2025-03-01T00:00:00Z", "percent": 10}]}
            get(url, {"Content-Type": "application/json"}, json.dumps(body).encode(), "PUT")
            self.addCleanup(get, f"{url}?app=com.example.shop&platform={platform}", None, None, "DELETE")
            body["rollout"].append({"at": "2025-03-02T00:00:00Z", "percent": 0})
            (folder / f"{platform}.json").write_text(json.dumps(body))
        before = self.publications()
        (folder / "curl").write_text(f"""#!/bin/bash
            put() {{ /usr/bin/curl -sS -o /dev/null -X PUT '{url}' -H 'Content-Type: application/json' -d @{folder}/$1.json; }}
            [[ "$*" != *If-Match* ]] || if [ -e {folder}/first ]; then put android; put ios; else touch {folder}/first; fi
            exec /usr/bin/curl "$@"\n""")
        (folder / "curl").chmod(0o755)
        done = self.run_bash(workflow["jobs"]["rollout"], widening, f"{folder}:{PATH}")
        self.assertIn("changed_meanwhile", done.stdout)
        error, *lines = done.stdout[done.stdout.index("::error::"):].splitlines()
        self.assertIn(f"nothing is widened, though {self.label} is registered at 100% where it was as below; to put it back, PUT each line to",
                      error)
        self.assertEqual((done.returncode, len(lines)), (1, 1), done.stdout)
        self.assertIn(json.loads(lines[0]), before)

    def test_the_workflow_goes_by_the_clock_of_the_service(self):
        """This machine's is minutes behind or ahead: the halt is in force all the same, with no step behind it, and so is the first step."""
        workflow = yaml.safe_load((RECIPES / "github-workflow.yml").read_text())
        steps = workflow["jobs"]["rollout"]["steps"]
        [halting] = [step for step in steps if step.get("env", {}).get("PERCENT") == 0]
        url = self.services["wait"].url + "/v1/releases/" + urllib.parse.quote(self.label)
        self.addCleanup(get, f"{url}?app=com.example.shop", None, None, "DELETE")
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder.name))
        for clock in ("-2 minutes", "+10 minutes"):
            with self.subTest(clock):
                (folder / "date").write_text(f"#!/bin/sh\n[ \"$2\" != -d ] || exec /usr/bin/date \"$@\"\nexec /usr/bin/date -d '{clock}' \"$@\"\n")
                (folder / "date").chmod(0o755)
                get(f"{url}?app=com.example.shop", None, None, "DELETE")
                self.assertEqual(self.run_step(workflow["jobs"]["rollout"], steps[0], f"{folder}:{PATH}")[1], [10])
                [known] = self.publications()
                self.assertEqual(known["publishedAt"], known["rollout"][0]["at"])
                widened = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 5))
                body = {"app": "com.example.shop", "publishedAt": "2025-03-01T00:00:00Z", "rollout": [{"at": widened, "percent": 50}]}
                get(url, {"Content-Type": "application/json"}, json.dumps(body).encode(), "PUT")
                done, percents = self.run_step(workflow["jobs"]["rollout"], halting, f"{folder}:{PATH}")
                self.assertEqual((done.returncode, percents), (0, [50, 0]), done.stderr)
                self.assertNotIn("halt_", done.stdout)

    #: As in a store, and with what ends a path.
    label = "77.0 (2) #3"

    def run_step(self, job, step, path=PATH):
        """How it ended, and the shares that are registered then."""
        done = self.run_bash(job, step, path)
        [known] = self.publications()
        return done, [one["percent"] for one in known["rollout"]]

    def run_bash(self, job, step, path=PATH):
        own = {name: value for name, value in step["env"].items() if isinstance(value, int)}
        environment = {"RELEASE": self.label, "UPTAKE_URL": self.services["wait"].url, "UPTAKE_PUBLISH_KEY": "k"}
        self.assertEqual({*step["env"]}, {*environment, *own})
        return subprocess.run(["bash", "-eo", "pipefail", "-c", step["run"]], capture_output=True, text=True,
                              env={"PATH": path, **job["env"], **environment, **{name: str(value) for name, value in own.items()}})

    def publications(self):
        return [one for one in json.loads(get(self.services["wait"].url + "/v1/releases")[1])["data"] if one["release"] == self.label]
