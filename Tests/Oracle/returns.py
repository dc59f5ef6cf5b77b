"""What contacts tell of a device that comes back to a channel: docs/statistics.md."""
DAY = 86400
RUNS = ("check", "wakeStarted", "confirmed")


def known(asked, stay, before):
    """What is known of a stay after a return: `applied` and `confirmed` are told apart by the first time of each in the channel alone, and
    what was said less than a day before the stay, and in it, was said all the time."""
    ran = [e for e in before if e.get("release") == asked.release and e["stage"] in RUNS + ("applied",)]
    if not ran:
        return stay
    firsts = {}
    for event in [*before, *stay]:
        if event.get("release") == asked.release:
            firsts.setdefault(event["stage"], event["at"])
    start, events, away = stay[0]["at"], list(stay), False
    for stages in (("check", "wakeStarted"), ("applied", "confirmed")):
        last = max((e["at"] for e in ran if e["stage"] in stages), default=None)
        again = next((e["at"] for e in stay if e["stage"] in stages and e.get("release") == asked.release), None)
        if last is not None and again is not None and again - last <= DAY:
            events.insert(0, {**stay[0], "at": start, "stage": "check", "release": asked.release})
            away = stages[0] == "applied"
    return [known for event in events if (known := told(asked, event, firsts, start, away))]


def told(asked, event, firsts, start, away):
    """An event of a later stay, as far as contacts tell it."""
    if event.get("release") != asked.release or event["stage"] not in ("applied", "confirmed") or firsts[event["stage"]] == event["at"]:
        return event
    return None if away else {**event, "stage": "applied" if firsts.get("applied", start) < start else "confirmed"}
