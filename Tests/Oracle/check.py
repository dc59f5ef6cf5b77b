"""Holds the program's answers against the oracle's, on many fleets in one database behind one service."""
import argparse
import sys
from datetime import datetime
from importlib import import_module

import shrink
from fleets import Fleet, rfc3339
from hazards import Near
from service import FREE, Service

QUESTIONS = ("adoption", "reach", "time-to-update", "mechanisms", "failures", "suspects", "funnel", "channels", "releases", "compare", "wakeups", "push")

EMPTY = ("attempts", "sent", "windows.0.reachable")  # A group with none of these is there for past releases, or past devices.


def own(question):
    return import_module(question.replace("-", "_"))


def find(row, name):
    """`ages.0.share.lo`; `shares.mechanism=location.events` is of the row that says so."""
    for step in name.split("."):
        if isinstance(row, list):
            field, _, word = step.partition("=")
            row = next((one for one in row if one.get(field) == word), None) if word else row[int(step)] if int(step) < len(row) else None
        else:
            row = (row or {}).get(step)
    return row


def same(one, other):
    if isinstance(one, Near):
        return isinstance(other, (int, float)) and abs(one - other) <= one.within
    if isinstance(one, float) and isinstance(other, (int, float)):
        return abs(one - other) <= 1e-9 * max(1, abs(one))
    return one == other


def group_of(question, row):
    if question == "suspects":
        return row["by"], row["value"]
    group = next(iter(row.get("group", {}).values()), row.get("mechanism"))
    return (row["release"], group) if question in ("channels", "releases") else group


def differences(service, fleet, question, release, options):
    """(group, name, what the oracle says, what the program answered)"""
    answer = service.ask(question, fleet, release, options)
    if "query" not in answer:
        return [(None, "answer", "one", answer)]
    cut_off = int(datetime.fromisoformat(answer["query"].get("cutOff") or rfc3339(fleet.now - 1)).timestamp())
    answered = {group_of(question, row): row for row in answer["data"]}
    expected = {group: list(rows) for group, rows in own(question).answer(fleet, *([] if question in FREE else [release]), cut_off, **options)}
    answered = {group: row for group, row in answered.items() if group in expected or not any(find(row, name) == 0 for name in EMPTY)}
    if set(answered) != set(expected):
        return [(None, "groups", sorted(map(str, expected)), sorted(map(str, answered)))]
    return [(group, name, value, found) for group, rows in expected.items() for name, value in rows
            if not same(value, found := find(answered[group], name))]


def asked(fleet, words):
    """Some questions, as they are or with one of their options; --every asks all, with all of them."""
    channels = {e["channel"] for events in fleet.devices for e in events}
    for question in words.only.split(",") if words.only else QUESTIONS if words.every else fleet.pick.sample(QUESTIONS, 4):
        options = [one for one in own(question).OPTIONS if {*one.get("channel", "production").split(",")} <= channels or "channel" not in one]
        for chosen in [{}] + options if words.every else [fleet.pick.choice([{}, {}] + options)]:
            yield from ((question, release, {**more, **chosen}) for release, more in releases(fleet, question))


def releases(fleet, question):
    """What the question is about, and what it needs beside."""
    names = [name for name, _, _ in fleet.published]
    if question == "compare":
        return [(names[1], {"baseline": names[0]})] if names[1:] else []
    if question == "wakeups":
        return [("all", {"by": "trigger"})]
    return [("all", {})] if question in FREE else [(name, {}) for name in names]


def disagreements(service, fleet, words):
    for question, release, options in asked(fleet, words):
        for difference in differences(service, fleet, question, release, options):
            yield question, release, options, difference


def show(seed, fleet, found):
    print(f"seed {seed}, {len(fleet.devices)} devices, {len(found)} differences, such as:")
    for question, release, options, (group, name, expected, answered) in found[:3]:
        print(f"  {question} {release} {options} {group or ''}: {name}: the oracle says {expected}, the program {answered}")
    shrink.show(fleet, *found[0][:3], found[0][3][1], differences)


def main():
    words = argparse.ArgumentParser()
    words.add_argument("--fleets", type=int, default=200)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--only", help="these questions, with commas; else four of each fleet, by chance")
    words.add_argument("--every", action="store_true", help="ask with every option")
    words.add_argument("--show", type=int, default=3, help="so many fleets are made small and printed")
    words.add_argument("--first", action="store_true", help="end at the first fleet that disagrees")
    words.add_argument("--polled", action="store_true", help="only devices that hardly say more than checks")
    words.add_argument("--returns", action="store_true", help="devices come back to a channel where they ran the release: see README.md")
    words = words.parse_args()
    wrong, seeds = 0, range(words.seed, words.seed + words.fleets)
    for some in (seeds[at:at + 60] for at in range(0, len(seeds), 60)):
        fleets = [Fleet.polled(seed) if words.polled else Fleet.of(seed, words.returns) for seed in some]
        with Service(fleets) as service:
            for seed, fleet in zip(some, fleets):
                found = list(disagreements(service, fleet, words))
                wrong += bool(found)
                if found and wrong <= words.show:
                    show(seed, fleet, found)
                if found and words.first:
                    print(f"seed {seed}: {found[0]}")
                    sys.exit(1)
    print(f"{words.fleets} fleets, {wrong} disagree")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
