"""docs/case-study.md: its commands are run as they stand, and what it says that they say is what they say. RECORD=1 writes it anew."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from fleet import PROGRAM

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/case-study.md"
PART = re.compile(r"```sh\n(.*?)```\n(?:\n<!-- said -->\n(.*?)<!-- /said -->\n)?", re.S)


class CaseStudy(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="uptake-case-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        (cls.folder / "bin").mkdir()
        (cls.folder / "bin/uptake").symlink_to(PROGRAM)
        cls.text = PAGE.read_text()
        cls.parts = [(match.group(1), match.group(2), cls.run_(match.group(1))) for match in PART.finditer(cls.text)]

    @classmethod
    def run_(cls, commands):
        environment = {"PATH": f"{cls.folder}/bin:/usr/bin:/bin", "HOME": str(cls.folder), "LANG": "C.UTF-8", "UPTAKE_DB": "fleet.db"}
        done = subprocess.run(["bash", "-c", "set -e\n" + commands], cwd=cls.folder, env=environment, capture_output=True, text=True, timeout=300)
        return done.stdout if done.returncode == 0 else f"exit status {done.returncode}: {done.stderr}"

    def test_figures_are_what_the_program_says(self):
        told = [(commands, said, found) for commands, said, found in self.parts if said is not None]
        self.assertGreater(len(told), 3)
        if os.environ.get("RECORD") == "1":
            found = iter(self.parts)
            PAGE.write_text(PART.sub(lambda match: self.recorded(match, next(found)[2]), self.text))
            self.fail("recorded docs/case-study.md; look at it, then run again without RECORD")
        for commands, said, found in told:
            with self.subTest(commands):
                self.assertEqual(said.strip(), found.strip())

    @staticmethod
    def recorded(match, found):
        return match.group(0) if match.group(2) is None else f"```sh\n{match.group(1)}```\n\n<!-- said -->\n{found.strip()}\n\n<!-- /said -->\n"

    def test_what_the_text_says_of_them(self):
        """Figures in prose, each from the answer that it is about."""
        early, late, suspects, end = [found for _, said, found in self.parts if said is not None][:4]
        self.assertIn("2 of 12 devices that launched it crashed", early)
        self.assertIn("| wait |", early)
        self.assertIn("9 of 44 devices that launched it crashed", late)
        self.assertIn("exit status 3", late)
        self.assertIn("limit of 1.0%", late)
        self.assertIn("none goes with more failures for certain", suspects)
        crashed = re.search(r"^\| 2\.2\.0 \| production \|.*", end, re.M).group(0)
        limits = re.findall(r"\(([\d.]+)–([\d.]+)\)", crashed)
        self.assertTrue(any(float(lo) <= 9 <= float(hi) for lo, hi in limits), crashed)

    def test_the_page_in_the_picture(self):
        pages = list((self.folder / "site/release/2.2.0").glob("production.html"))
        self.assertTrue(pages, "no page of 2.2.0")
        text = re.sub(r"<[^>]+>", "", pages[0].read_text())
        self.assertIn("9 of 44", text)
        self.assertTrue((PAGE.parent / "pictures/case-study.png").exists())


if __name__ == "__main__":
    unittest.main()
