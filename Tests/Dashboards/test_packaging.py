"""Files for containers and Homebrew, as far as they can be judged without either: `make package-check` has the Debian package."""
import pathlib
import shutil
import subprocess
import sys
import unittest

import yaml

PACKAGING = pathlib.Path(__file__).parents[2] / "packaging"
TOOLS = pathlib.Path(sys.executable).parent


class Containers(unittest.TestCase):
    def judged(self, *words):
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_dockerfile(self):
        self.judged(TOOLS / "hadolint", PACKAGING / "Dockerfile")
        lines = (PACKAGING / "Dockerfile").read_text().splitlines()
        self.assertEqual(sum(line.startswith("FROM ") for line in lines), 2)
        self.assertLess(lines.index("USER uptake"), lines.index('CMD ["serve"]'))
        self.assertTrue(any(line.startswith("HEALTHCHECK ") for line in lines))

    def test_compose(self):
        """Its form, and that it takes no rights that the service does without."""
        self.judged(TOOLS / "yamllint", "-d", "{extends: relaxed, rules: {line-length: disable}}", PACKAGING / "compose.yaml")
        service = yaml.safe_load((PACKAGING / "compose.yaml").read_text())["services"]["uptake"]
        self.assertEqual((service["read_only"], service["cap_drop"]), (True, ["ALL"]))
        self.assertTrue(all(port.startswith("127.0.0.1:") for port in service["ports"]))

    @unittest.skipUnless(shutil.which("ruby"), "ruby is not installed")
    def test_the_formula(self):
        text = (PACKAGING / "uptake.rb.in").read_text()
        for word, value in {"@DOWNLOADS@": "https://example.com", "@VERSION@": "1.0.0", "@SHA256@": "0" * 64}.items():
            self.assertIn(word, text)
            text = text.replace(word, value)
        self.assertNotIn("@", text)
        done = subprocess.run(["ruby", "-wc", "-"], input=text, capture_output=True, text=True)
        self.assertEqual((done.stdout, done.stderr), ("Syntax OK\n", ""))


if __name__ == "__main__":
    unittest.main()
