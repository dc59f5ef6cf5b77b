"""The tutorial and the guides are run as they stand; pages lead everywhere, and every link leads somewhere."""
import contextlib
import os
import pathlib
import random
import re
import shutil
import socket
import subprocess
import tempfile
import textwrap
import unittest

from fleet import PROGRAM

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
GUIDES = sorted((DOCS / "guides").glob("*.md"))
PAGES = sorted(page for place in (ROOT, DOCS, DOCS / "clients", DOCS / "guides", DOCS / "recipes", DOCS / "decisions", ROOT / "packaging", ROOT / "dashboards")
               for page in place.glob("*.md"))


def blocks(page, language):
    """What stands between fences, in a list or not."""
    found = re.findall(r"^( *)```" + language + r"\n(.*?)^ *```$", page.read_text(), re.M | re.S)
    return [textwrap.dedent(text) for _, text in found]


def free_port():
    """One that nothing listens on, and that the system gives to no connection: thousands are open beside this while a server starts."""
    chance = random.SystemRandom()
    while True:
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", chance.randrange(12_000, 32_000)))
            return probe.getsockname()[1]


class Pasted(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="uptake-docs-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "bin").mkdir()
        (self.folder / "bin/uptake").symlink_to(PROGRAM)

    def paste(self, text, **more):
        """As one shell that stops at the first failure; the port of the page may be somebody else's here."""
        address = f"127.0.0.1:{free_port()}"
        environment = {"PATH": f"{self.folder}/bin:/usr/bin:/bin", "HOME": str(self.folder), "LANG": "C.UTF-8", "UPTAKE_LISTEN": address, **more}
        done = subprocess.run(["bash", "-m", "-c", "set -e\n" + text.replace("127.0.0.1:8787", address)], cwd=self.folder, env=environment,
                              capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_the_tutorial(self):
        # A smaller fleet than the page has: this program may be built without optimisation.
        said = self.paste("\n".join(blocks(DOCS / "tutorial.md", "sh")).replace("--devices 300", "--devices 80"))
        self.assertIn('"accepted":5', said)
        for status in re.findall(r"exit status (\d+)", said):
            self.assertIn(status, "34", said)
        self.assertTrue((self.folder / "site/index.html").exists())
        self.assertTrue((self.folder / "fleet.copy.db").exists())

    def test_five_phones(self):
        """What is worked out by hand on the page is what the program prints."""
        page = DOCS / "censoring.md"
        [shown] = blocks(page, "text")
        self.assertIn(shown, self.paste("\n".join(blocks(page, "sh")), COLUMNS="100"))

    def test_the_guides(self):
        self.paste("""
            uptake simulate --devices 60 --until "$(date -u +%Y-%m-%dT%H:%M:%SZ)" --out events.ndjson --publications publications.json --quiet
            uptake import events.ndjson --quiet
            uptake release publish --from publications.json""", UPTAKE_DB="fleet.db")
        for page in GUIDES:
            if page.name == "move-to-clickhouse.md":
                continue  # needs a warehouse: Tests/Warehouse/test_guide.py
            with self.subTest(page.name):
                self.assertTrue(blocks(page, "sh"))
                said = self.paste("\n".join(blocks(page, "sh")), UPTAKE_DB="fleet.db", UPTAKE_APP="com.example.shop")
                for status in re.findall(r"exit status (\d+)", said):
                    self.assertIn(status, "34", said)


@unittest.skipUnless(shutil.which("nginx") and shutil.which("caddy"), "nginx or caddy is not installed")
class Proxies(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="uptake-proxies-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.page = DOCS / "guides/run-in-production.md"

    def test_nginx(self):
        [site] = blocks(self.page, "nginx")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=uptake.example.com", "-keyout",
                        self.folder / "uptake.key", "-out", self.folder / "uptake.pem"], check=True, capture_output=True)
        site = site.replace("/etc/ssl", str(self.folder))
        (self.folder / "nginx.conf").write_text(f"pid {self.folder}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{\naccess_log off;\n{site}}}\n")
        done = subprocess.run(["nginx", "-t", "-p", self.folder, "-c", self.folder / "nginx.conf"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_caddy(self):
        [site] = blocks(self.page, "caddy")
        (self.folder / "Caddyfile").write_text(site)
        done = subprocess.run(["caddy", "validate", "--adapter", "caddyfile", "--config", self.folder / "Caddyfile"], capture_output=True,
                              text=True, env={**os.environ, "HOME": str(self.folder)})
        self.assertEqual(done.returncode, 0, done.stderr)


class Links(unittest.TestCase):
    def test_every_page_is_found_from_the_index(self):
        seen, waiting = set(), [DOCS / "README.md"]
        while waiting:
            page = waiting.pop().resolve()
            if page in seen or page.suffix != ".md" or not page.exists():
                continue
            seen.add(page)
            waiting += [page.parent / link for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())]
        self.assertEqual([page for page in DOCS.rglob("*.md") if page.resolve() not in seen and page.parent.name != "decisions"], [])

    def test_every_link_leads_somewhere(self):
        broken = [f"{page.relative_to(ROOT)}: {link}" for page in PAGES for link in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text())
                  if not (page.parent / link).exists()]
        self.assertEqual(broken, [])

    def test_every_table_is_whole(self):
        """A row with another number of cells, or a gap within the rows, breaks the page."""
        for page in PAGES:
            text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
            for table in re.findall(r"(?:^\|.*\n)+", text, re.M):
                rows = [re.sub(r"`[^`]*`", "", row.replace("\\|", "")) for row in table.splitlines()]
                with self.subTest(page.name, table=rows[0]):
                    self.assertRegex(rows[1], r"^\|[-:| ]+\|$")
                    self.assertEqual({row.count("|") for row in rows}, {rows[0].count("|")})


if __name__ == "__main__":
    unittest.main()
