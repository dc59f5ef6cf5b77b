"""The pages of the documentation, and what stands on them between fences and backticks."""
import pathlib
import re
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
FENCED = re.compile(r"^( *)```([^\n]*)\n(.*?)^ *```$", re.M | re.S)
#: Everything that tells how the program is used; the history names what is gone.
PAGES = sorted(page for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"),
                                 *(ROOT / name / "README.md" for name in ("bench", "clients", "dashboards", "packaging", "Tests/Oracle"))]
               if page.name != "CHANGELOG.md" and page.exists())


def text(name):
    return (ROOT / name).read_text()


def name(page):
    return str(page.relative_to(ROOT))


def fenced(page):
    """The blocks of a page: the words behind the fence, and the text."""
    return [(words.strip(), textwrap.dedent(body)) for _, words, body in FENCED.findall(page.read_text())]


def spans(page):
    """What stands between backticks within the prose."""
    return [span.replace("\n", " ") for span in re.findall(r"`([^`]+)`", FENCED.sub("", page.read_text()))]


def rows(page, heading=None):
    """The cells of the tables of a page, or of the part below a heading."""
    body = FENCED.sub("", text(page))
    if heading:
        body = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#+ |\Z)", body, re.M | re.S)[1]
    cells = [[cell.strip() for cell in re.split(r" \| |^\| | \|$", line)[1:-1]] for line in body.splitlines() if line.startswith("| ")]
    return [row for row in cells if row and row[0]]


def named(cells):
    """The names between backticks in some cells."""
    return {found for cell in cells for found in re.findall(r"`([^`]+)`", cell)}
