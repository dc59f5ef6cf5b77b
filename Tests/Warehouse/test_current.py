"""The statements in the dialect of a current ClickHouse: tables, batches and every question, to the byte as the file has it.

chdb is that ClickHouse without a network: one server, no replicas; the cluster's own tests run on the server that Debian has."""

import json
import os
import pathlib
import sys
import tempfile
import unittest

import questions
from embedded import EmbeddedServer
from program import NOW, Files, done, run
from proxy import Proxy

PYTHON = os.environ["UPTAKE_CHDB_PYTHON"]


class CurrentServer(unittest.TestCase):
    def setUp(self):
        self.files = Files()
        self.addCleanup(self.files.remove)
        self.folder = tempfile.TemporaryDirectory(prefix="uptake-current-", ignore_cleanup_errors=True)
        self.addCleanup(self.folder.cleanup)
        self.server = EmbeddedServer(PYTHON, self.folder.name)
        self.addCleanup(self.server.end)
        self.address = self.server.address("current")

    def test_every_question(self):
        file = self.files.database("file", self.files.lines)
        done("warehouse", "init", "--db", self.address)
        done("ship", "--batch", 700, "--db", file, "--to", self.address)
        asked = [words for words in questions.lines() if words[0] != "breadcrumbs"]
        asked = [[*words, "--now", NOW] for words in [*asked, ["breadcrumbs", questions.device(file), "--hashed"]]]
        self.assertGreater(len(asked), 12)
        self.assertEqual(questions.differences(file, self.address, asked), [])
        events = len(set(json.loads(line)["id"] for line in self.files.lines))
        self.assertIn(f"\t{events}\t", done("warehouse", "status", "--db", self.address).output)

    def test_tallies_are_kept_and_used(self):
        file = self.files.database("file", self.files.lines)
        done("warehouse", "init", "--db", self.address)
        done("ship", "--db", file, "--to", self.address)
        done("warehouse", "refresh", "--db", self.address)
        proxy = Proxy(self.server.port)
        self.addCleanup(proxy.stop)
        # Tallies hold for cutoffs after the newest contact.
        asked = [[*words, "--now", "2025-07-02T00:00:00Z"] for words in (["releases"], ["adoption", "4.4.0"])]
        through = self.address.replace(str(self.server.port), proxy.place.split(":")[1])
        self.assertEqual(questions.differences(file, through, asked), [])
        self.assertGreater(len(proxy.statements), 0)
        self.assertFalse(any("`contact`" in text for text in proxy.statements), "devices were read")

    def test_batches_twice(self):
        file = self.files.database("file", self.files.lines)
        done("warehouse", "init", "--db", self.address)
        done("ship", "--batch", 500, "--db", file, "--to", self.address)
        again = self.files.database("again", self.files.lines)
        done("ship", "--batch", 900, "--db", again, "--to", self.address)
        asked = [[name, "4.4.0", "--now", NOW] for name in ("adoption", "funnel", "mechanisms")]
        self.assertEqual([done(*words, "--db", self.address).status for words in asked], [0, 0, 0])
        self.assertEqual(questions.differences(file, self.address, asked), [])

    def test_a_wrong_password_is_said(self):
        ended = run("warehouse", "init", "--db", self.address, password="wrong")
        self.assertNotEqual(ended.status, 0)
        self.assertIn("password", ended.errors)


if __name__ == "__main__":
    unittest.main()
