"""Questions that a release manager would type, read from the tests of the command line, and what differs between two places."""

import concurrent.futures
import json
import pathlib
import re

from program import NOW, run

LINES = pathlib.Path(__file__).parent.parent / "EndToEndTests/QuestionsFormatTests.swift"


def lines():
    """By question, the line that asks most of it."""
    table = re.search(r"let questionLines: \[\[String\]\] = \[\n(.*?)\n\]\n", LINES.read_text(), re.S)[1]
    found = {}
    for line in re.findall(r"\[([^\]]*)\]", table):
        words = re.findall(r'"([^"]*)"', line)
        found[words[0]] = max(found.get(words[0], []), words, key=len)
    return list(found.values())


def answer(place, words):
    ended = run(*words, "--json", "--db", place)
    code = json.loads(ended.errors.splitlines()[-1])["code"] if ended.errors.startswith("{") and not ended.output else None
    return ended.status, code, ended.output


def differences(file, address, asked):
    """A line for each answer of the warehouse that is not the file's, to the byte."""
    def difference(words):
        wanted, found = answer(file, words), answer(address, words)
        if wanted == found:
            return None
        place = next((at for at, (a, b) in enumerate(zip(wanted[2], found[2])) if a != b), min(len(wanted[2]), len(found[2])))
        return f"{' '.join(words)}: {wanted[:2]} became {found[:2]}, {wanted[2][place - 80:place + 40]!r} {found[2][place - 80:place + 40]!r}"
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        return [odd for odd in pool.map(difference, asked) if odd]


def device(file, release="4.4.0"):
    """The keyed hash of a device that went through something."""
    ended = run("devices", release, "--at", "ready", "--limit", "1", "--json", "--now", NOW, "--db", file)
    return re.search(r'"device":"([0-9a-f]{16})"', ended.output)[1]
