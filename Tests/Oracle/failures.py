"""What `uptake failures` should answer: first attempts that are old enough, those that failed and why, and launches rolled back."""
from collections import Counter, defaultdict

import estimators
from adoption import of
from attempts import HOUR, first_attempts
from risk import about
from rules import DAY

OPTIONS = [{"emulators": True}, {"by": "mechanism"}, {"by": "region"}, {"where": {"osVersion": ("17", "unknown")}}, {"attempt-age": "2h"}, {"rollback-age": "3h"},
           {"rollback-age": "72h"}, {"by": "platform"}]


def hours(word):
    return int(word[:-1]) * HOUR


def answer(fleet, release, cut_off, emulators=False, by=None, where=None, **ages):
    ages = {name.replace("-", "_"): hours(word) for name, word in ages.items()}
    groups = defaultdict(Counter) if by else {None: Counter()}
    for events, attempt in first_attempts(fleet, release, cut_off, emulators, where, about, **ages):
        count(groups[attempt.trigger if by == "mechanism" else about(events, by)], attempt, cut_off, ages)
    for group, counts in groups.items():
        if counts["attempts"] + counts["tooYoung"] or not by:
            yield group, rows(counts)


def count(counts, attempt, cut_off, ages):
    day = ages.get("rollback_age", DAY)
    if attempt.launch is not None:
        old = cut_off - attempt.launch >= day
        counts["applies" if old else "appliesTooYoung"] += 1
        back = attempt.first("rolledBack")
        counts["rolledBack"] += old and back is not None and back - attempt.launch <= day
    if cut_off - attempt.start < ages.get("attempt_age", HOUR):
        counts["tooYoung"] += 1
        return
    counts["attempts"] += 1
    counts["retried"] += attempt.retried
    counts["recovered"] += attempt.recovered
    launched = attempt.launch is not None and cut_off - attempt.launch >= day
    counts["settled"] += attempt.broke[1] in ("rolledBack", "crashed") if attempt.broke else launched
    if attempt.broke:
        counts["failed"] += 1
        counts["why", attempt.broke[1]] += 1


def rows(counts):
    for name in ("attempts", "failed", "tooYoung", "retried", "recovered", "applies", "appliesTooYoung", "rolledBack"):
        yield name, counts[name]
    yield "stopRule.settled", counts["settled"]
    yield from of(estimators.wilson(counts["failed"], counts["attempts"]), "rate")
    yield from of(estimators.wilson(counts["rolledBack"], counts["applies"]), "rollbackRate")
    for key in counts:
        if key[0] == "why":
            yield f"reasons.reason={key[1]}.devices", counts[key]
