"""Recipes for pipelines, each as it stands in docs/recipes, against a service that says go on, one that says stop, one that says wait."""
import base64
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.parse

import yaml

from fleet import APP, ROOT, Service, eventually, get, simulated

RECIPES = ROOT / "docs/recipes"
PATH = "/usr/bin:/bin"


def setUpModule():
    """One service a verdict, for all tests; what they register changes no decision."""
    Services.folder = tempfile.TemporaryDirectory(prefix="uptake-recipes-")
    for decision, scenario, devices in (("goOn", "healthy", 700), ("stop", "crashes-on", 700), ("wait", "demo", 40)):
        place = pathlib.Path(Services.folder.name) / decision
        place.mkdir()
        Services.services[decision] = Service(simulated(place, devices, scenario))


def tearDownModule():
    for service in Services.services.values():
        service.close()
    Services.folder.cleanup()


class Services(unittest.TestCase):
    folder, services = None, {}

    def place(self, decision):
        """The service that decides so, and the release it says that of."""
        service = self.services[decision]
        found = json.loads(get(service.url + "/v1/answers/verdict?channel=production")[1])["data"][0]
        self.assertEqual(found["decision"], decision)
        return service, found["release"]

    def wait(self, service, release, *arguments, url=None, channel="production", **environment):
        return subprocess.run(
            [ROOT / "scripts/wait-for-verdict", "--release", release, "--channel", channel, "--wait", "2s", "--every", "1s", *arguments],
            capture_output=True, text=True, timeout=60,
            env={"PATH": PATH, "UPTAKE_URL": url or service.url, **environment})


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
            [ROOT / "scripts/wait-for-verdict", "--release", release, "--channel", "production", "--require", "no-stop", "--wait", "60s",
             "--every", "1s"], stdout=subprocess.PIPE, text=True, env={"PATH": PATH, "UPTAKE_URL": service.url})
        self.assertIn("wait", started.stdout.readline())
        at = int(time.time() * 1000)
        status, text = service.send(*(
            {"app": APP, "device": f"bad-{number}", "stage": stage, "release": release, "at": at - late}
            for number in range(100) for stage, late in (("applied", 600_000), ("crashed", 300_000))))
        self.assertEqual(status, 200, text)
        self.assertEqual(started.wait(60), 3)
        self.assertRegex(started.communicate()[0], "stop: .* crashed")

    def test_what_is_wrong_is_told_at_once(self):
        service, release = self.place("goOn")
        unknown = self.wait(service, "9.9.9", "--wait", "60s")
        self.assertEqual((unknown.returncode, "9.9.9" in unknown.stdout), (2, True), unknown.stdout)
        for wrong in (["--wait", "soon"], ["--require", "yes"]):
            self.assertEqual(self.wait(service, release, *wrong).returncode, 2)
        for url in ("", "file:///etc/passwd", "uptake.example.com"):
            self.assertEqual(self.wait(service, release, "--url", url).returncode, 2)

    def test_nobody_answers(self):
        service, release = self.place("goOn")
        done = self.wait(service, release, url="http://127.0.0.1:1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no verdict yet", done.stdout)

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


def listening(test, answer):
    """A server that answers with status, headers and JSON."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            length = int(self.headers.get("Content-Length") or 0)
            self.body = json.loads(self.rfile.read(length)) if length else None
            status, headers, body = answer(self)
            data = json.dumps(body).encode()
            self.send_response(status)
            for name, value in {"Content-Length": str(len(data)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        do_POST = do_PATCH = do_PUT = do_GET

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    test.addCleanup(server.server_close)
    test.addCleanup(server.shutdown)
    return server


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
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], capture_output=True, text=True, timeout=60, cwd=folder,
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

    def test_a_name_is_no_markup(self):
        """A release is named by whoever has an ingest key: no picture, no mention, no link, no further column."""
        hostile = "2 | ![x](https://evil.example/a) <img src=x> @everyone `--> **b** www.evil.example"
        answer = {"data": [{"release": hostile, "channel": "p", "decision": "stop", "events": 1, "devices": 2, "rolloutPercent": None,
                            "wouldChange": hostile, "reasons": [{"decision": "stop", "subject": "crashes", "sentence": hostile, "value": None,
                                                                 "limit": None}]}]}
        file, summary = (pathlib.Path(self.folder.name) / name for name in ("hostile.json", "hostile.md"))
        file.write_text(json.dumps(answer))
        subprocess.run([ROOT / "scripts/comment-verdict", file], check=True, env={"PATH": PATH, "GITHUB_STEP_SUMMARY": str(summary),
                                                                                "GITHUB_EVENT_PATH": "/dev/null"}, capture_output=True)
        text = summary.read_text().split("-->", 1)[1]
        for wrong in ("![", "](", "<img", "@everyone", "://", "www.", "`", "**b**"):
            self.assertNotIn(wrong, text)
        row = [line for line in text.splitlines() if "evil" in line and line.startswith("|")]
        self.assertEqual([line.count("|") for line in row], [5])

    def test_the_workflow_uses_it_as_it_is(self):
        workflow = yaml.safe_load((RECIPES / "github-workflow.yml").read_text())
        steps = workflow["jobs"]["rollout"]["steps"]
        [used] = [step for step in steps if "uses" in step]
        self.assertLessEqual(set(used["with"]), set(self.action["inputs"]))
        required = {name for name, one in self.action["inputs"].items() if one["required"]}
        self.assertLessEqual(required, set(used["with"]))
        self.assertEqual(workflow["permissions"]["pull-requests"], "write")
        service = self.services["wait"]
        publish = steps[0]
        subprocess.run(["bash", "-eo", "pipefail", "-c", publish["run"]], check=True, capture_output=True,
                       env={"PATH": PATH, "RELEASE": "77.0", "UPTAKE_URL": service.url, "UPTAKE_ADMIN_KEY": "k"})
        self.assertIn('"77.0"', get(service.url + "/v1/releases")[1])


class Pipelines(Services):
    def test_argo_rollouts(self):
        """argoproj/argo-rollouts, metricproviders/webmetric/webmetric.go: a GET, 2xx or an error, the JSON path, the conditions; and
        analysis/analysis.go, assessMetricStatus: with `count` reached, what is inconclusive within its limit counts as a success."""
        [metric] = yaml.safe_load((RECIPES / "argo-rollouts.yml").read_text())["spec"]["metrics"]
        self.assertEqual(metric["count"], 1)
        self.assertNotIn("inconclusiveLimit", metric)
        web = metric["provider"]["web"]
        self.assertEqual(web["jsonPath"], "{$.data[0].decision}")
        for decision, phase in (("goOn", "Successful"), ("stop", "Failed"), ("wait", "Inconclusive")):
            service, release = self.place(decision)
            url = web["url"].replace("https://uptake.example.com", service.url)
            url = url.replace("{{args.release}}", release).replace("{{args.channel}}", "production")
            status, text = get(url, {one["key"]: one["value"] for one in web["headers"]})
            self.assertEqual(status, 200, text)
            result = json.loads(text)["data"][0]["decision"]
            holds = lambda condition: eval(condition, {"result": result})
            found = "Failed" if holds(metric["failureCondition"]) else "Successful" if holds(metric["successCondition"]) else "Inconclusive"
            self.assertEqual(found, phase)

    def test_flagger(self):
        """fluxcd/flagger, pkg/controller/webhook.go, CallWebhook: posts JSON; what is above 202 is a no. Go's client makes the name and
        the password of an address a header."""
        hooks = yaml.safe_load((RECIPES / "flagger.yml").read_text())["spec"]["analysis"]["webhooks"]
        for decision, opens in (("goOn", True), ("stop", False), ("wait", False)):
            service, release = self.place(decision)
            for hook in hooks:
                url = urllib.parse.urlsplit(hook["url"].replace("2.0.0", release))
                credentials = base64.b64encode(f"{url.username}:{url.password}".encode()).decode()
                body = json.dumps({"name": "shop", "namespace": "prod", "phase": "Progressing", "metadata": {}}).encode()
                status, text = get(f"{service.url}{url.path}?{url.query}", {"Authorization": f"Basic {credentials}",
                                                                            "Content-Type": "application/json"}, body)
                self.assertEqual(status <= 202, opens, text)

    def test_eas(self):
        """The steps of the workflow in order, with a stand-in for Expo's program that notes what it was told to do."""
        steps = yaml.safe_load((RECIPES / "eas-workflow.yml").read_text())["jobs"]["rollout"]["steps"]
        for decision, status, told in (("goOn", 0, "update:edit {} --rollout-percentage 100 --non-interactive"),
                                       ("stop", 3, "update:revert-update-rollout --group {} --non-interactive"), ("wait", 4, None)):
            with self.subTest(decision):
                service, release = self.place(decision)
                folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder.name))
                shutil.copytree(ROOT / "scripts", folder / "scripts")
                (folder / "npx").write_text('#!/bin/sh\necho "$@" >> "$TOLD"\ncase "$2" in update) echo \'[{"group":"\'"$GROUP"\'"}]\';; esac\n')
                (folder / "npx").chmod(0o755)
                environment = {"PATH": f"{folder}:{PATH}", "UPTAKE_URL": service.url, "UPTAKE_ADMIN_KEY": "k", "TOLD": str(folder / "told"),
                               "GROUP": release, "WAIT": "2s", "EVERY": "1s"}
                # The release is registered already: to be told so again would make it new.
                run = [step["run"] for step in steps if "run" in step and (step["name"] != "Tell Uptake")]
                done = [subprocess.run(["bash", "-eo", "pipefail", "-c", text], cwd=folder, env=environment, capture_output=True, text=True)
                        for text in run]
                self.assertEqual([one.returncode for one in done], [0, status], [one.stdout + one.stderr for one in done])
                lines = (folder / "told").read_text().splitlines()
                self.assertRegex(lines[0], "^eas-cli update --channel production --rollout-percentage 10 ")
                self.assertEqual(lines[1:], [f"eas-cli {told.format(release)}"] if told else [])
        [tell] = [step["run"] for step in steps if step.get("name") == "Tell Uptake"]
        environment["GROUP"] = "group-1"
        subprocess.run(["bash", "-eo", "pipefail", "-c", 'npx eas-cli update > update.json\n' + tell], cwd=folder, env=environment, check=True,
                       capture_output=True)
        self.assertIn('"group-1"', get(service.url + "/v1/releases")[1])

    def test_fastlane(self):
        """The lanes by Ruby, with what they use of fastlane (fastlane/fastlane, lib/fastlane/helper/sh_helper.rb: a block is given the
        status and keeps sh from raising)."""
        stand_in = """
            require "open3"
            UI = Class.new { def method_missing(name, text) = (puts "#{name}: #{text}"; exit 1 if name == :user_error!) }.new
            LANES = {}
            def desc(_) = nil
            def lane(name, &body) = LANES[name] = body
            def private_lane(name, &body) = define_method_on_top(name, body)
            def define_method_on_top(name, body) = Object.define_method(name) { |**options| body.call(options) }
            def sh(*command)
              Dir.chdir("fastlane") do
                output, status = Open3.capture2e(*command)
                yield status, output, command.join(" ")
              end
            end
            load ARGV[0]
            LANES.fetch(:watch_rollout).call({release: ARGV[1]})
        """
        for decision, status, words in (("goOn", 0, "success: Go on"), ("stop", 1, "important: take back"), ("wait", 0, "important: Nothing is decided")):
            with self.subTest(decision):
                service, release = self.place(decision)
                folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder.name))
                shutil.copytree(ROOT / "scripts", folder / "scripts")
                (folder / "fastlane").mkdir()
                (folder / "stand_in.rb").write_text(stand_in)
                done = subprocess.run(["ruby", "stand_in.rb", RECIPES / "Fastfile", release], cwd=folder, capture_output=True, text=True,
                                      env={"PATH": PATH, "UPTAKE_URL": service.url, "WAIT": "2s", "EVERY": "1s"})
                self.assertEqual(done.returncode, status, done.stdout + done.stderr)
                self.assertIn(words, done.stdout)

    def test_the_page_names_every_recipe(self):
        text = (RECIPES / "README.md").read_text()
        for file in RECIPES.iterdir():
            if file.name != "README.md":
                self.assertIn(f"]({file.name})", text)
