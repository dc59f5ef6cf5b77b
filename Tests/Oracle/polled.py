"""Updates that only checks show: between which contacts each happened (docs/statistics.md, "Between checks"). Whole seconds."""
import math
from functools import cached_property

from hazards import Curve, Shares
from rules import DAY, SAYS, stretches

DELIVERIES = ("ready", "verified", "downloadCompleted")
FEWEST = 30
KINDS = ("update", "contact", "end")
MECHANISMS = ("silentPush", "bgRefresh", "foreground", "unknown", "location")


def digits(tick, number=5):
    """Kept to so many binary digits, the first among them, rounded to the nearest."""
    shift = max(0, tick.bit_length() - number)
    return (tick + (1 << shift - 1) >> shift) << shift if shift else max(tick, 0)


class Bounds:
    """What is known of the devices of a group: updates as (after, up to, by) with their numbers, and time watched without."""
    def __init__(self):
        self.updates, self.watched, self.open, self.all = {}, {}, 0, 0
        self.unseen, self.gaps = {}, {}

    def note(self, entry, after, up_to, by=None):
        after = max(entry, after)
        if up_to is not None and up_to <= after:
            return
        up_to = None if up_to is None else digits(up_to)
        after = digits(after) if up_to is None else min(digits(after), up_to - 1)  # At the tick of its own update nobody is at risk twice.
        entry = min(digits(entry), after)
        if entry != after:
            self.watched[entry] = self.watched.get(entry, 0) + 1
            self.watched[after] = self.watched.get(after, 0) - 1
        if up_to is not None:
            key = (after, up_to, by)
            self.updates[key] = self.updates.get(key, 0) + 1

    def add(self, asked, events, heard, stay, place, intervals):
        """`heard` is what was heard of the device at any time; `intervals` finds its time at risk."""
        made = [] if place.reason else intervals(asked, stay, place)
        if not made:
            return
        origin = place.start if asked.clock == "own" else asked.time
        updated = place.end if place.why == "updated" else None
        silent = made[-1][1] < place.end
        says = place.seen if updated is not None else any(e["stage"] in SAYS["applied"] and e.get("release") for e in events)
        if says:
            for piece, (entry, leave) in enumerate(made):
                self.see(entry - origin, leave - origin, place.by if updated is not None and not silent and piece == len(made) - 1 else None)
        else:
            self.bound(asked, heard, stay, place, updated, made[0][0], origin)

    def see(self, entry, leave, by):
        leave = max(leave, 1)
        entry = min(entry, leave - 1)
        if by and by != "newerRelease":
            self.all += 1
            self.note(entry, leave - 1, leave, by)
        else:
            self.note(entry, leave, None)

    def bound(self, asked, heard, stay, place, updated, entry, origin):
        without, named, longer = last_without(asked, heard, stay, updated if updated is not None else place.end + 1)
        after = max(entry, entry if without is None else without)
        is_update = updated is not None and place.by != "newerRelease"
        if longer:
            kind = "update" if is_update else "contact" if place.why == "updated" else "end"
            return self.leave(kind, place, entry - origin, after - origin, origin)
        if is_update and named is not None and 0 < updated - named <= DAY:
            self.gaps[digits(updated - named)] = self.gaps.get(digits(updated - named), 0) + 1
        if not is_update or updated - after > asked.window:
            return self.note(entry - origin, after - origin, None)
        end = max(updated - origin, 1)
        if end > after - origin:
            self.note(entry - origin, after - origin, end, place.by)
            self.open, self.all = self.open + 1, self.all + 1

    def leave(self, kind, place, entry, floor, origin):
        """The last contact without the update lies in a stretch that goes on: it is placed when all others are known."""
        is_update = kind == "update"
        before = max(place.end - origin, 1) if is_update else place.end - origin
        if is_update and before <= entry:
            return
        self.open, self.all = self.open + is_update, self.all + is_update
        key = (KINDS.index(kind), digits(entry), digits(floor), digits(before, 10), MECHANISMS.index(place.by) if is_update else 0)
        self.unseen[key] = self.unseen.get(key, 0) + 1

    def placed(self):
        """These, with the unseen contacts placed by the gaps around the updates of the others."""
        first = self.place(0)
        time = sum(number * (up_to - after) / 2 for (after, up_to, _), number in first.updates.items())
        time -= sum(tick * number for tick, number in first.watched.items())
        return self.place(sum(first.updates.values()) / time if time > 0 else 0)

    def place(self, hazard):
        found = Bounds()
        found.updates, found.watched = dict(self.updates), dict(self.watched)
        devices = [key for key, number in sorted(self.unseen.items()) for _ in range(number)]
        gaps = [self.gap(at) for at in range(32)]
        for device, (kind, entry, floor, before, by) in enumerate(devices):
            gap, part = gaps[device * 5 % 32], (device * 19 % 32 + 0.5) / 32
            if KINDS[kind] == "end":
                gap = math.floor((math.log1p(part * math.expm1(hazard * gap)) / hazard if hazard else part * gap) + 0.5)
            after = max(floor, before - gap)
            if KINDS[kind] == "update":
                found.note(entry, min(after, before - 1), before, MECHANISMS[by])
            else:
                found.note(entry, after, None)
        return found

    def gap(self, at):
        """The one that (at + 1/2)/32 of all gaps lie below."""
        total, seen = sum(self.gaps.values()), 0
        for gap, number in sorted(self.gaps.items()):
            seen += number
            if seen * 64 >= total * (2 * at + 1):
                return gap
        return DAY

    @property
    def notable(self):
        return self.open >= FEWEST and self.open * 10 >= self.all


def is_update(asked, release):
    return release == asked.release or asked.estimand == "patched" and release in asked.newer


def ran_another(asked, heard, stay):
    return any(first >= stay[0]["at"] and first < asked.time and not is_update(asked, release) and release not in asked.newer
               for first, _, release in stretches(heard, stay[0]["channel"]))


def last_without(asked, heard, stay, before):
    """The last known contact of the stay before an instant that named another release, or the delivery; the same without the
    delivery; and whether a stretch goes on, so that there was a later one."""
    others = [(first, last) for first, last, release in stretches(heard, stay[0]["channel"]) if first < before and not is_update(asked, release)]
    named = [at for at in (last if last < before else first for first, last in others) if at >= stay[0]["at"]]
    found = list(named)
    for stage in DELIVERIES:
        first = next((e["at"] for e in stay if e["stage"] == stage and e.get("release") == asked.release), None)
        if first is not None and first < before:
            found.append(first)
            break
    at = max((at for at in found if at >= stay[0]["at"]), default=None)
    return at, max(named, default=None), any(last >= before for _, last in others)


def is_worth_it(tables):
    """Whether contacts are looked at once more: in one of the groups enough updates are known from checks alone."""
    def doubtful(table):
        events = sum(by is not None and by != "newerRelease" for _, _, by in table.intervals)
        first = table.excluded["born_on"]
        if table.implied + first < FEWEST or (table.implied + first) * 10 < events + first:
            return False
        return table.implied > 0 and table.implied * 20 >= events or events == 0 and len(table.intervals) * 20 >= first
    return any(doubtful(table) for table in tables)


class Side:
    """The curve of a group between checks, and what each mechanism brought of it."""
    def __init__(self, table):
        self.bounds = table.bounds
        bounds = self.placed = table.bounds.placed()
        ends = [end for _, end, _ in table.intervals] + [up_to for _, up_to, _ in bounds.updates]
        last = max(ends + [tick for tick, number in bounds.watched.items() if number])
        # Newer releases compete with mechanisms only.
        seen = type(table.intervals)((entry, end, None if by == "newerRelease" else by) for entry, end, by in table.intervals)
        self.curve = Curve(bounds.updates, bounds.watched, last, seen)

    @cached_property
    def shares(self):
        return Shares(self.placed.updates, self.curve)


def sides(tables):
    """By group; of a group whose times are known there is none."""
    worth = is_worth_it(tables.values())
    return {group: Side(table.again) if worth and table.bounds.notable else None for group, table in tables.items()}


def counted(tables):
    """Who was heard of before with another release, and is first heard of with this one, has updated, where contacts are looked at once more."""
    return {group: table.again for group, table in tables.items()} if is_worth_it(tables.values()) else tables
