"""A warehouse that speaks TLS only: shipped to and asked as any other, by programs that know its authority, and by no others."""

import json
import pathlib
import subprocess
import tempfile
import unittest
from unittest import mock

import questions
from cluster import Cluster, free_ports
from program import NOW, Files, done, run


def certificate(folder, name):
    """Of an authority that is itself, for one name."""
    key, file = folder / f"{name}.key", folder / f"{name}.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}", "-keyout", key, "-out", file],
        check=True, capture_output=True)
    return key, file


class SecureServer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="uptake-secure-", ignore_cleanup_errors=True)
        cls.addClassCleanup(folder.cleanup)
        key, cls.trusted = certificate(pathlib.Path(folder.name), "localhost")
        _, cls.other = certificate(pathlib.Path(folder.name), "elsewhere")
        cls.port = free_ports(1)[0]
        cls.cluster = Cluster(1, 1)
        # What it says without TLS is for the test alone.
        cls.cluster.servers[0].more = (
            f"<https_port>{cls.port}</https_port><openSSL><server><certificateFile>{cls.trusted}</certificateFile>"
            f"<privateKeyFile>{key}</privateKeyFile><verificationMode>none</verificationMode></server></openSSL>")
        cls.cluster.__enter__()
        cls.addClassCleanup(cls.cluster.__exit__)
        cls.files = Files()
        cls.addClassCleanup(cls.files.remove)
        cls.address = f"clickhouses://uptake@localhost:{cls.port}/secure"

    def trusting(self, file):
        return mock.patch("program.TRUST", file)

    def test_shipped_and_asked(self):
        file = self.files.database("file", self.files.lines)
        with self.trusting(self.trusted):
            done("warehouse", "init", "--db", self.address)
            done("ship", "--batch", 400, "--db", file, "--to", self.address)
            asked = [[*words, "--now", NOW] for words in (["releases"], ["adoption", "4.4.0"], ["mechanisms", "4.4.0"])]
            self.assertEqual(questions.differences(file, self.address, asked), [])

    def refused(self, address, trusted, *codes):
        with self.trusting(trusted):
            ended = run("warehouse", "status", "--db", address)
        self.assertEqual(ended.status, 1)
        told = json.loads(ended.errors.splitlines()[-1])
        self.assertIn(told["code"], codes)
        self.assertIn("8443", told["hint"])
        self.assertEqual("UPTAKE_WAREHOUSE_TRUST" in told["hint"], told["code"] == "warehouse_untrusted")
        self.assertNotIn("s3cret", ended.errors)
        return told["message"]

    def test_an_authority_that_is_not_known(self):
        self.refused(self.address, None, "warehouse_untrusted")
        self.refused(self.address, self.other, "warehouse_untrusted")

    def test_another_name_than_the_certificates(self):
        self.refused(self.address.replace("localhost", "127.0.0.1"), self.trusted, "warehouse_untrusted")

    def test_a_port_without_tls(self):
        plain = self.cluster.servers[0].http
        # Some greetings end a line of HTTP by chance, and are answered; after others the server waits for more.
        said = self.refused(
            self.address.replace(str(self.port), str(plain)), self.trusted, "warehouse_untrusted", "warehouse_unreachable")
        self.assertIn("TLS", said)


if __name__ == "__main__":
    unittest.main()
