"""Every test that docs/operations.md and docs/threat-model.md name exists."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).parents[2]
NAME = re.compile(r"`((?:test_\w+|[A-Z]\w*Tests|[A-Z]\w+)(?:\.\w+)?)`")


def named():
    """Every struct, class and function of the tests, and the files of those in Python."""
    names = {path.stem for path in (ROOT / "Tests").rglob("test_*.py")}
    for path in [*(ROOT / "Tests").rglob("*.swift"), *(ROOT / "Tests").rglob("*.py")]:
        names.update(re.findall(r"\b(?:struct|class|func|def) (\w+)", path.read_text()))
    return names


def missing(page, tests):
    """Names in the columns of tests that no test bears."""
    found = []
    for line in page.read_text().splitlines():
        cell = line.split(" | ")[-1 if page.name == "threat-model.md" else 1] if line.startswith("| ") else ""
        for name in NAME.findall(cell):
            if not set(name.split(".")) <= tests:
                found.append(name)
    return found


class Promises(unittest.TestCase):
    def test_each_names_a_test_that_exists(self):
        tests = named()
        for page in ("operations.md", "threat-model.md"):
            with self.subTest(page=page):
                self.assertEqual(missing(ROOT / "docs" / page, tests), [])

    def test_a_name_that_no_test_bears_is_found(self):
        page = ROOT / "docs" / "operations.md"
        self.assertNotEqual(missing(page, set()), [])


if __name__ == "__main__":
    unittest.main()
