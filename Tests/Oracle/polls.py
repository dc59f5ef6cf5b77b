"""Devices that look for updates at their own intervals and say what they run: hardly one tells when it updated."""
import random

HOUR, DAY = 3600, 86400


def life(fleet, number):
    """One in ten says `applied`, too; of some only the delivery is seen. Some fall silent, some move, some are restored, some run what nobody registered."""
    pick, start = fleet.pick, fleet.published[0][1] - 5 * DAY
    about = {"device": f"d{number}", "platform": pick.choice(("ios", "android")), "channel": "production", "region": pick.choice(("DE", "FR")),
             "tags": {"plan": pick.choice(("pro", "free"))}, "osVersion": pick.choice(("17", "18.1"))}
    if pick.random() < 0.9:
        about["bucket"] = pick.randrange(100)
    if pick.random() < 0.03:
        about["emulator"] = True
    gap, tells, events, runs = pick.choice((2, 6, 12, 30, 50)) * HOUR, pick.random() < 0.1, [], pick.choice(("1.0",) * 9 + ("0.9", "1.5"))
    ready, at = None, start + pick.randrange(gap) + (pick.randrange(4 * DAY) if pick.random() < 0.2 else 0)
    quick = random.Random(f"quick {fleet.app} {number}")  # In every other fleet many fetch and start it between two checks.
    last = fleet.now - 60 if pick.random() < 0.8 else at + pick.randrange(10 * DAY)
    while at < min(last, fleet.now - 60):
        newest = next((name for name, time, _ in reversed(fleet.published) if time <= at), None)
        if newest and newest != runs and ready is None and random.Random(fleet.app).random() < 0.5 and quick.random() < 0.4:
            runs = newest
        elif newest and newest != runs and ready is None and pick.random() < 0.35:
            ready = newest
            if pick.random() < 0.6:
                events.append({**about, "at": at, "stage": pick.choice(("ready", "ready", "verified", "downloadCompleted")), "release": newest,
                               "trigger": pick.choice(("silentPush", "bgRefresh", "foreground"))})
                at += pick.randrange(1, gap)
        elif ready and pick.random() < 0.6:
            runs, ready = ready, None
            if tells:
                events.append({**about, "at": at, "stage": pick.choice(("applied", "confirmed")), "release": runs, "trigger": "foreground"})
                at += pick.choice((1, 600))
        elif runs != "1.0" and pick.random() < 0.04:
            runs, ready = "1.0", None  # Restored from a backup: it will update again.
        events.append({**about, "at": at, "stage": pick.choice(("check", "check", "check", "wakeStarted")), "release": runs, "trigger": pick.choice(("bgRefresh", "foreground"))})
        if pick.random() < 0.01:
            about = {**about, "channel": "beta"}
        at += pick.randrange(gap // 2, gap * 3 // 2) if pick.random() < 0.95 else gap * 8 + 7
    return [e for e in events if e["at"] <= fleet.now - 60]
