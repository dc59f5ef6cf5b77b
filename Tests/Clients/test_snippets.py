"""Every snippet of docs/clients is run, or compiled as far as a compiler is here: what somebody pastes works."""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

from own import BUILT, ROOT, kotlin, swift, typescript
from service import PROGRAM, Service

PAGES = sorted((ROOT / "docs/clients").glob("*.md"))
STAND_INS = ROOT / "clients"
#: What the ten lines of each client's page come to.
TOLD = ["check store:4.2.0 unknown", "wakeStarted store:4.2.0 bgRefresh", "downloadCompleted 4.2.1-1 bgRefresh",
        "ready 4.2.1-1 bgRefresh", "wakeFinished - bgRefresh", "applied 4.2.1-1 unknown", "check 4.2.1-1 unknown"]


def blocks(page, language):
    """What stands between fences, with what stands behind the language."""
    found = re.findall(r"^```(\w+)([^\n]*)\n(.*?)^```$", page.read_text(), re.M | re.S)
    return [(more.strip(), text) for name, more, text in found if name == language]


def compiled(*words, **environment):
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, env=os.environ | environment)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, words))}:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")


class OwnClients(unittest.TestCase):
    #: What stands in for packages of an app.
    REACT_NATIVE = {
        "react-native": """let told = () => {}
exports.AppState = {
  currentState: 'active',
  addEventListener(name, listener) { told = listener },
  become(state) { this.currentState = state; told(state) }
}
""",
        "@react-native-async-storage/async-storage": """const kept = new Map()
exports.__esModule = true
exports.default = {
  getItem: async (key) => kept.get(key) ?? null, setItem: async (key, value) => { kept.set(key, value) },
  removeItem: async (key) => { kept.delete(key) }, getAllKeys: async () => [...kept.keys()]
}
"""}

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="uptake-snippets-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def tells(self, *words, within=None):
        """The program tells a service with keys what its page says."""
        with Service() as service:
            environment = os.environ | {"UPTAKE_URL": service.url, "UPTAKE_KEY": service.require_key()}
            subprocess.run(words, cwd=within or self.folder, env=environment, check=True, timeout=120)
            self.assertEqual(service.stored(order="seq"), TOLD)

    def one(self, page, language, mark):
        (text,) = [text for more, text in blocks(ROOT / "docs/clients" / page, language) if more == mark]
        return text

    def installed(self, *options):
        """An app with the client in it as npm puts it there: without a network, and no compiler is asked for."""
        app = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        (app / "package.json").write_text('{"name": "app", "private": true}')
        compiled("npm", "install", "--offline", "--no-audit", "--no-fund", "--cache", self.folder / "npm", "--prefix", app, *options,
                 STAND_INS / "typescript")
        return app

    def test_typescript_as_the_page_installs_it(self):
        page = ROOT / "docs/clients/own-typescript.md"
        (line,) = [text for _, text in blocks(page, "sh") if text.startswith("npm")]
        for options in (tuple(word for word in shlex.split(line, comments=True) if word.startswith("--")), ()):
            for name, imports in (("run.mjs", "import"), ("run.cjs", "require")):
                with self.subTest(options=options, imports=imports):
                    app = self.installed(*options)
                    text = self.one("own-typescript.md", "ts", "run")
                    if imports == "require":
                        text = re.sub(r"^import (.*) from (.*)$", r"const \1 = require(\2)", text, flags=re.M)
                    (app / name).write_text(text)
                    self.tells("node", name, within=app)

    def test_typescript_compiles_however_modules_are_found(self):
        app = self.installed()
        shutil.copy(STAND_INS / "typescript/stand-ins/modules.d.ts", app)
        names = []
        pages = [ROOT / "docs/clients" / name for name in ("own-typescript.md", "release-health.md")]
        for number, (more, text) in enumerate(block for page in pages for block in blocks(page, "ts")):
            names.append("run.ts" if more == "run" else f"snippet{number}.ts")
            (app / names[-1]).write_text(text)
        self.assertIn("run.ts", names)
        self.assertGreater(len(names), 5)
        # Debian's TypeScript knows no `bundler` yet; it reads the same `exports` as node16.
        for module, resolution in (("CommonJS", "node"), ("Node16", "node16")):
            with self.subTest(resolution):
                compiled("tsc", "--strict", "--target", "ES2020", "--module", module, "--moduleResolution", resolution, "--lib", "ES2021,DOM",
                         "--esModuleInterop", app / "modules.d.ts", *(app / name for name in names))
                self.tells("node", "run.js", within=app)
                shutil.rmtree(app / "uptake-queue")

    def test_react_native_is_in_the_foreground_at_its_first_launch(self):
        """On iOS it tells no `change` then; what comes later is followed."""
        app = self.installed()
        (text,) = [text for _, text in blocks(ROOT / "docs/clients/own-typescript.md", "ts") if "AppState" in text]
        (app / "screen.ts").write_text(text)
        shutil.copy(STAND_INS / "typescript/stand-ins/modules.d.ts", app)
        for name, source in self.REACT_NATIVE.items():
            (app / "node_modules" / name).mkdir(parents=True)
            (app / "node_modules" / name / "index.js").write_text(source)
        compiled("tsc", "--strict", "--target", "ES2020", "--module", "CommonJS", "--lib", "ES2021,DOM", "--esModuleInterop",
                 app / "modules.d.ts", app / "screen.ts")
        (app / "run.js").write_text("""
const { AppState } = require('react-native')
require('./screen.js').opening.then((uptake) => {
  const triggers = [uptake.current.trigger]
  for (const state of ['active', 'background']) {
    AppState.become(state)
    triggers.push(uptake.current.trigger)
  }
  console.log(triggers.join(' '))
  process.exit(0)
})
""")
        said = subprocess.run(["node", "run.js"], cwd=app, check=True, capture_output=True, text=True, timeout=60).stdout
        self.assertEqual(said.strip(), "foreground foreground unknown")

    def test_what_is_compiled_is_what_the_sources_say(self):
        """clients/typescript/dist is kept, so that nobody needs a compiler; RECORD=1 writes it anew, and fails once."""
        typescript()
        made, kept = [{path.relative_to(root): path.read_text() for part in ("src", "adapters") for path in sorted((root / part).iterdir())}
                      for root in (BUILT / "typescript", STAND_INS / "typescript/dist")]
        if "RECORD" in os.environ and made != kept:
            shutil.rmtree(STAND_INS / "typescript/dist")
            for name, text in made.items():
                (STAND_INS / "typescript/dist" / name).parent.mkdir(parents=True, exist_ok=True)
                (STAND_INS / "typescript/dist" / name).write_text(text)
            self.fail("recorded clients/typescript/dist; look at it, then run again without RECORD")
        self.assertEqual(sorted(made), sorted(kept))
        for name, text in made.items():
            self.assertEqual(text, kept[name], f"dist/{name} is not what is compiled now: RECORD=1")

    def test_swiftpatch_sends_its_own_events(self):
        text, start = [text for _, text in blocks(ROOT / "docs/clients/swiftpatch.md", "js")]
        before = """const installId = 'd1', runningHash = 'h0', KEY = process.env.UPTAKE_KEY
const SwiftPatch = { addListener: (listener) => listener }
const heard = """
        event = '{ eventType: "update-ready", releaseHash: "h1", timestamp: Date.now() / 1000, appId: "app_1" }'
        with Service() as service:
            (self.folder / "run.mjs").write_text(
                (before + text + f"const answer = await heard({event})\nconst told = await {start}"
                 + "for (const one of [answer, told]) if (one.status !== 200) throw new Error(await one.text())\n"
                 ).replace("https://uptake.example.com", service.url))
            compiled("node", self.folder / "run.mjs", UPTAKE_KEY=service.require_key())
            self.assertEqual(service.stored(), ["ready h1 bgRefresh", "check h0 foreground"])

    def test_swift(self):
        swift()
        modules, objects = BUILT / "swift/debug/Modules", sorted((BUILT / "swift/debug/Uptake.build").glob("*.o"))
        main = self.folder / "main.swift"
        main.write_text(self.one("own-swift.md", "swift", "run"))
        compiled("swiftc", main, "-I", modules, *objects, "-o", self.folder / "run")
        self.tells(self.folder / "run")
        page = self.one("own-swift.md", "swift", "uikit")
        (self.folder / "App.swift").write_text(re.sub(r"^import (UIKit|BackgroundTasks)$", "import Foundation", page, flags=re.M))
        stand_ins = sorted((STAND_INS / "swift/Tests/stand-ins").glob("*.swift"))
        compiled("swiftc", "-module-name", "App", "-parse-as-library", self.folder / "App.swift", *stand_ins, "-I", modules, *objects,
                 "-o", self.folder / "app")
        said = subprocess.run([self.folder / "app"], env=os.environ | {"XDG_DATA_HOME": str(self.folder)}, check=True, capture_output=True,
                              text=True, timeout=60).stdout
        self.assertEqual(said.splitlines()[-1], "noData,true,false noData,true,true foreground foreground unknown")

    def test_kotlin(self):
        kotlin()
        (self.folder / "Run.kt").write_text(self.one("own-kotlin.md", "kotlin", "run"))
        compiled("kotlinc", self.folder / "Run.kt", "-cp", BUILT / "kotlin.jar", "-d", self.folder / "run.jar")
        self.tells("java", "-XX:TieredStopAtLevel=1", "-cp", f"{BUILT / 'kotlin.jar'}:{self.folder / 'run.jar'}", "RunKt")


class Shell(unittest.TestCase):
    """Commands of all pages."""

    def commands(self, beginning):
        for page in PAGES:
            texts = [text for _, text in blocks(page, "sh")] + [
                said.replace("\n", " ") for said in re.findall(r"`(uptake [^`]*)`", page.read_text())]
            for text in texts:
                for line in text.replace("\\\n", " ").splitlines():
                    if line.startswith(beginning) and "…" not in line and not line.endswith("--for"):
                        yield page.name, line

    def run_in(self, service, line, folder):
        words = shlex.split(line, comments=True)
        done = subprocess.run([PROGRAM, *words[1:], "--db", service.database], cwd=folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, f"{line}: {done.stderr}")
        return done.stdout

    def test_keys_are_made(self):
        lines = list(self.commands("uptake key create"))
        self.assertGreater(len(lines), 6)
        with Service() as service:
            for page, line in lines:
                with self.subTest(page=page, line=line):
                    self.run_in(service, line, service.directory)

    def test_update_servers_are_taken(self):
        lines = list(self.commands("uptake serve --upstream"))
        names = set(re.findall(r"`(?:uptake serve )?--upstream (\S+)`", "".join(page.read_text() for page in PAGES)))
        names |= {shlex.split(line, comments=True)[3] for _, line in lines if len(shlex.split(line, comments=True)) > 3}
        names = {name for name in names if "://" in name}
        self.assertGreater(len(names), 4)
        for name in sorted(names):
            with self.subTest(upstream=name), Service("--upstream", name) as service:
                self.assertEqual(service.ask("/healthz")[0], 200)

    def test_files_are_imported(self):
        samples = {
            "access.log": '{"time":"2026-01-04T09:00:00Z","eas_client_id":"E1","expo_current_update_id":"u1"}\n',
            "results.ndjson": '{"app":"com.example.demo","push":"p","device":"d1","apns":{"status":200}}\n',
            "deliveries.csv": "event_timestamp,message_id,instance_id,app_name,event\n"
                              "2026-01-04 09:00:00 UTC,m1,d1,com.example.demo,MESSAGE_ACCEPTED\n"}
        lines = [(page, line) for page, line in self.commands("uptake import")]
        self.assertGreaterEqual(len(lines), 2)
        with Service() as service, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            for name, text in samples.items():
                (pathlib.Path(folder) / name).write_text(text)
            for page, line in lines:
                with self.subTest(page=page, line=line):
                    self.run_in(service, line, folder)

    def test_what_is_posted_is_taken(self):
        posted = [text for page in PAGES for _, text in blocks(page, "sh") if text.startswith("curl")]
        self.assertGreaterEqual(len(posted), 1)
        with Service() as service:
            key = service.require_key()
            for text in posted:
                done = subprocess.run(["bash", "-c", text.replace("https://uptake.example.com", service.url)], capture_output=True,
                                      text=True, env=os.environ | {"KEY": key})
                self.assertNotIn("error\":{", done.stdout)
                self.assertGreater(json.loads(done.stdout)["accepted"], 0, done.stdout)

    def test_react_native_update_is_given_a_list(self):
        # reactnativecn/react-native-update 10.53.1, src/client.ts: `server.main` is asked item by item; a text letter by letter.
        page = (ROOT / "docs/clients/react-native-update.md").read_text()
        self.assertRegex(page, r"server: \{ main: \['https://")


if __name__ == "__main__":
    unittest.main()
