"""Recipes for other pipelines, each as it stands in docs/recipes."""
import base64
import json
import pathlib
import shutil
import subprocess
import tempfile
import time
import urllib.parse

import yaml

from deciding import PATH, RECIPES, Services
from fleet import ROOT, get


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
        """The steps of the workflow in order, with a stand-in for Expo's program that notes what it was told to do. It prints what
        expo/eas-cli does, packages/eas-cli/src/update/utils.ts, getUpdateJsonInfosForUpdates: an id a platform, one group."""
        def updates(*ids):
            return json.dumps([{"id": name, "group": "g1", "platform": platform} for name, platform in zip(ids, ("ios", "android"))])
        steps = yaml.safe_load((RECIPES / "eas-workflow.yml").read_text())["jobs"]["rollout"]["steps"]
        def publications(service, release):
            return [one for one in json.loads(get(service.url + "/v1/releases")[1])["data"]
                    if one["release"] == release and one["channel"] == "production"]
        # A step is planned for later: whoever widens or halts drops it.
        for decision, status, percents, told in (
                ("goOn", 0, [100], "update:edit {} --rollout-percentage 100 --non-interactive"),
                ("stop", 3, [0], "update:revert-update-rollout --group {} --non-interactive"), ("wait", 4, [100], None)):
            with self.subTest(decision):
                service, release = self.place(decision)
                folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder.name))
                shutil.copytree(ROOT / "scripts", folder / "scripts")
                (folder / "npx").write_text('#!/bin/sh\necho "$@" >> "$TOLD"\n[ "$2" != update ] || echo "$UPDATES"\n')
                (folder / "npx").chmod(0o755)
                environment = {"PATH": f"{folder}:{PATH}", "UPTAKE_URL": service.url, "UPTAKE_PUBLISH_KEY": "k", "TOLD": str(folder / "told"),
                               "UPDATES": updates(release), "WAIT": "2s", "EVERY": "1s"}
                before = publications(service, release)
                for one in before:
                    self.addCleanup(get, f"{service.url}/v1/releases/{release}", {"Content-Type": "application/json"}, json.dumps(one).encode(), "PUT")
                    one["rollout"] = one["rollout"] or [{"at": one["publishedAt"], "percent": 100}]
                    planned = {**one, "rollout": one["rollout"] + [{"at": "2099-01-01T00:00:00Z", "percent": 100}]}
                    get(f"{service.url}/v1/releases/{release}", {"Content-Type": "application/json"}, json.dumps(planned).encode(), "PUT")
                # The release is registered already: to be told so again would make it new.
                run = [step["run"] for step in steps if "run" in step and (step["name"] != "Tell Uptake")]
                done = [subprocess.run(["bash", "-eo", "pipefail", "-c", text], cwd=folder, env=environment, capture_output=True, text=True)
                        for text in run]
                self.assertEqual([one.returncode for one in done], [0, status], [one.stdout + one.stderr for one in done])
                lines = (folder / "told").read_text().splitlines()
                self.assertRegex(lines[0], "^eas-cli update --channel production --rollout-percentage 10 ")
                self.assertEqual(lines[1:], [f"eas-cli {told.format('g1')}"] if told else [])
                added = [one["rollout"][len(old["rollout"]):] for one, old in zip(publications(service, release), before)]
                self.assertEqual([[step["percent"] for step in steps] for steps in added], [percents] * len(before))
        # Somebody halts it between the verdict and the widening: neither Expo nor Uptake is told to go on, whatever is planned for later.
        other, release = self.place("goOn")
        there = environment | {"UPTAKE_URL": other.url, "UPDATES": updates(release)}
        [known], url = publications(other, release), f"{other.url}/v1/releases/{release}"
        self.addCleanup(get, url, {"Content-Type": "application/json"}, json.dumps(known).encode(), "PUT")
        later = {"at": "2099-01-01T00:00:00Z", "percent": 100}
        halted = {**known, "rollout": known["rollout"] + [{"at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "percent": 0}, later]}
        (folder / "halted.json").write_text(json.dumps(halted))
        (folder / "curl").write_text(f"""#!/bin/sh
            [ ! -e halted.json ] || /usr/bin/curl -sS -o /dev/null -X PUT '{url}' -H 'Content-Type: application/json' -d @halted.json
            exec /usr/bin/curl "$@"\n""")
        (folder / "curl").chmod(0o755)
        (folder / "told").write_text("")
        done = [subprocess.run(["bash", "-eo", "pipefail", "-c", text], cwd=folder, env=there, capture_output=True, text=True) for text in run]
        self.assertIn(f"{release} was halted: nothing is widened", done[-1].stderr, done[-1].stdout)
        self.assertNotIn("update:edit", (folder / "told").read_text())
        self.assertEqual(publications(other, release), [halted])
        (folder / "curl").unlink()
        [tell] = [step["run"] for step in steps if step.get("name") == "Tell Uptake"]
        environment["UPDATES"] = updates("id-1", "id-2")
        def told_again():
            subprocess.run(["bash", "-eo", "pipefail", "-c", 'npx eas-cli update > update.json\n' + tell], cwd=folder, env=environment, check=True,
                           capture_output=True)
            return [one for one in json.loads(get(service.url + "/v1/releases")[1])["data"] if one["release"].startswith("id-")]
        first = told_again()
        self.assertEqual([one["publishedAt"] for one in first], [one["rollout"][0]["at"] for one in first])
        time.sleep(1.1)
        self.assertEqual(told_again(), first, "a re-run moves nothing")
        told = {one["release"]: one["platform"] for one in json.loads(get(service.url + "/v1/releases")[1])["data"]}
        self.assertEqual((told["id-1"], told["id-2"]), ("ios", "android"))

    def test_eas_says_what_it_registered_before_it_was_refused(self):
        """The answer of the first is lost, and it is sent again; the second is halted meanwhile."""
        [*_, step] = yaml.safe_load((RECIPES / "eas-workflow.yml").read_text())["jobs"]["rollout"]["steps"]
        url, folder = self.services["wait"].url + "/v1/releases", pathlib.Path(tempfile.mkdtemp(dir=self.folder.name))
        ids = {"refused-1": "android", "refused-2": "ios"}
        for name, platform in ids.items():
            body = {"app": "com.example.shop", "platform": platform, "publishedAt": "2025-03-01T00:00:00Z",
                    "rollout": [{"at": "2025-03-01T00:00:00Z", "percent": 10}]}
            get(f"{url}/{name}", {"Content-Type": "application/json"}, json.dumps(body).encode(), "PUT")
            self.addCleanup(get, f"{url}/{name}?app=com.example.shop&platform={platform}", None, None, "DELETE")
        registered = lambda: [one for one in json.loads(get(url)[1])["data"] if one["release"] in ids]
        first, second = registered()
        halted = {**second, "rollout": second["rollout"] + [{"at": "2025-03-02T00:00:00Z", "percent": 0}]}
        (folder / "halted.json").write_text(json.dumps(halted))
        (folder / "update.json").write_text(json.dumps([{"id": name, "group": "g1", "platform": ids[name]} for name in ids]))
        (folder / "scripts").mkdir()
        for name, text in (("npx", 'echo "$@" >> told'), ("scripts/wait-for-verdict", ""), ("curl", f"""
            if [[ "$*" == *If-Match* ]]; then
              echo >> calls
              case $(wc -l < calls) in
                1) /usr/bin/curl "$@" > /dev/null; exit 56 ;;
                3) /usr/bin/curl -sS -o /dev/null -X PUT '{url}/{second["release"]}' -H 'Content-Type: application/json' -d @halted.json ;;
              esac
            fi
            exec /usr/bin/curl "$@" """)):
            (folder / name).write_text(f"#!/bin/bash\n{text}\n")
            (folder / name).chmod(0o755)
        done = subprocess.run(["bash", "-eo", "pipefail", "-c", step["run"]], cwd=folder, capture_output=True, text=True,
                              env={"PATH": f"{folder}:{PATH}", "UPTAKE_URL": self.services["wait"].url, "UPTAKE_PUBLISH_KEY": "k"})
        self.assertIn("changed_meanwhile", done.stdout, done.stderr)
        lead, *lines = done.stdout[done.stdout.index("only these were registered at 100%"):].splitlines()
        self.assertEqual((done.returncode, [json.loads(line) for line in lines]), (1, [first]), done.stdout)
        self.assertEqual([[step["percent"] for step in one["rollout"]] for one in registered()], [[10, 100], [10, 0]])
        self.assertFalse((folder / "told").exists(), "the update server is told nothing")

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
        for decision, status, words in (("goOn", 0, "success: Go on"), ("stop", 1, "important: take back"), ("wait", 1, "user_error!: Nothing is decided")):
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
