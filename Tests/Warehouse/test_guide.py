"""docs/guides/move-to-clickhouse.md, pasted as it stands, moves a fleet."""
import os
import pathlib
import re
import subprocess
import textwrap
import unittest

from cluster import PASSWORD, shared
from program import PROGRAM, Files

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/guides/move-to-clickhouse.md"


class Guide(unittest.TestCase):
    def test_the_guide_moves_a_fleet(self):
        files = Files()
        self.addCleanup(files.remove)
        (files.folder / "bin").mkdir()
        (files.folder / "bin/uptake").symlink_to(PROGRAM)
        blocks = [textwrap.dedent(text) for _, text in re.findall(r"^( *)```sh\n(.*?)^ *```$", PAGE.read_text(), re.M | re.S)]
        self.assertGreater(len(blocks), 3)
        done = subprocess.run(
            ["bash", "-ec", "\n".join(blocks)], cwd=files.folder, capture_output=True, text=True, timeout=300,
            env={"PATH": f"{files.folder}/bin:{os.environ['PATH']}", "HOME": str(files.folder), "UPTAKE_WAREHOUSE_PASSWORD": PASSWORD,
                 "UPTAKE_DB": str(files.database("moved", files.lines)), "WAREHOUSE": shared().address("moved", servers=shared().servers[:1])})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual((files.folder / "of-the-file.json").read_text(), (files.folder / "of-the-warehouse.json").read_text())
        self.assertIn('"release": "4.4.0"', (files.folder / "of-the-file.json").read_text().replace('":"', '": "'))


if __name__ == "__main__":
    unittest.main()
