"""The first attempt of a device at a release: docs/statistics.md, "first attempt", "launch", "failed attempt"."""
from rules import DAY, stretches

HOUR = 3600
FRESH = 14 * DAY
SIGNS = ("downloadStarted", "downloadCompleted", "verified", "ready", "applied", "failed")
CLAIMS = ("confirmed", "crashed", "check", "wakeStarted")


class Attempt:
    """None of these where it never tried: `start`. `broke` is (when, why) it failed; `launch` when it ran, or tried to."""
    start = launch = broke = trigger = None
    retried = recovered = False

    def __init__(self, events, release, time, cut_off, attempt_age=HOUR, rollback_age=DAY, channel="production"):
        own = [e for e in events if e.get("release") == release and e["channel"] == channel]
        # As exact as words a day or less apart, which are kept as one: another release before and after a claim was running in between.
        others = [first for first, last, other in stretches(events, channel) if other != release and last >= time - FRESH]
        signs = [e for e in own if e["stage"] in SIGNS]
        claims = [e for e in own if e["stage"] in CLAIMS]
        claims = [e for e in claims[:1] if others and min(others) < e["at"] >= time]
        back = [e for n, e in enumerate(own) if e["stage"] == "rolledBack" and not any(b["stage"] in SIGNS + CLAIMS for b in own[:n])][:1]
        first = min(signs[:1] + claims + back, key=lambda e: e["at"], default=None)
        if first is None:
            return
        self.start, self.trigger, self.own, self.attempt_age, self.rollback_age = first["at"], first["trigger"], own, attempt_age, rollback_age
        self.launch = self.first("applied", "confirmed", "check", "wakeStarted", "rolledBack", "crashed")
        self.ends(cut_off)

    def first(self, *stages, after=None):
        return next((e["at"] for e in self.own if e["stage"] in stages and (after is None or e["at"] > after)), None)

    def ends(self, cut_off):
        failed = next((e for e in self.own if e["stage"] == "failed"), None)
        breaks = []
        if failed and failed["at"] - self.start <= self.attempt_age:
            self.retried = failed.get("reason") == "patch_fail" and self.whole_came(failed["at"])
            breaks += [] if self.retried else [(failed["at"], failed["reason"])]
        for stage, why in (("rolledBack", "rolledBack"), ("crashed", "crashed")):
            at = self.first(stage)
            breaks += [(at, why)] if at is not None and at - self.launch <= self.rollback_age else []
        self.broke = min(breaks, default=None)
        self.retried = self.retried and self.broke is None
        # Of one that was rolled back or crashed nobody can tell whether what runs later is another attempt.
        self.recovered = self.broke is not None and failed is not None and self.broke[0] == failed["at"] and self.came_after(failed["at"])

    def came_after(self, failed):
        """Its first `ready`, or when it first ran, came after the failure."""
        return any(at is not None and at > failed for at in (self.first("ready"), self.first("applied", "confirmed", "check", "wakeStarted")))

    def whole_came(self, failed):
        """Ready after it within the hour; or running: before it, within the hour, or whenever it had been ready before."""
        ready, ran = self.first("ready"), self.first("applied", "confirmed", "check", "wakeStarted")
        if ready is not None and ready >= failed and ready - self.start <= self.attempt_age:
            return True
        return ran is not None and (ran <= failed or ran - self.start <= self.attempt_age or ready is not None and ready <= failed)


def first_attempts(fleet, release, cut_off, emulators=False, where=None, about=None, **ages):
    """(events, attempt) of each device that tried."""
    time = next((at for name, at, _ in fleet.published if name == release), 0)
    for events in fleet.known(cut_off):
        if any(e.get("emulator") for e in events) and not emulators or any(about(events, field) not in values for field, values in (where or {}).items()):
            continue
        attempt = Attempt(events, release, time, cut_off, **ages)
        if attempt.start is not None:
            yield events, attempt
