"""Time at risk: the intervals in which a spell could have updated, and how the last one ended."""
from collections import Counter

import estimators
from polled import Bounds, ran_another
from rules import DAY, Asked, Place, spells


def stretches(contacts):
    """Runs of contacts that are a day or less apart."""
    runs = []
    for at in contacts:
        if runs and at - runs[-1][1] <= DAY:
            runs[-1][1] = at
        else:
            runs.append([at, at])
    return runs


def watched(asked, stay, place):
    """From when to when silence did not end it, by --censor."""
    contacts, start = [e["at"] for e in stay], place.start
    if asked.censor == "cut-off":
        return [(start, place.end)]
    if asked.censor == "last-seen":
        return [(start, place.end)] if place.why == "updated" else [(start, max(contacts[-1], start + 1))] if contacts[-1] > asked.time else []
    return [(first, last + asked.window) for first, last in stretches(contacts)]


def intervals(asked, stay, place):
    """Merged pieces [entry, exit], and whether the last one ended before the spell's own end."""
    made = []
    for first, last in watched(asked, stay, place):
        entry, leave = max(first, place.start), min(last, place.end)
        if entry < leave or (entry == leave == place.end and place.why == "updated"):
            if made and entry <= made[-1][1]:
                made[-1][1] = max(leave, made[-1][1])
            else:
                made.append([entry, leave])
    return made


class Counted:
    """Time at risk of one group."""
    def __init__(self, bounds, late):
        self.intervals = estimators.Late() if late else []
        self.ended, self.excluded, self.causes, self.devices, self.hidden = Counter(), Counter(), Counter(), 0, 0
        self.bounds, self.implied = bounds, 0
        self.spells = {}  # The intervals of each, by its device and number.

    def count(self, asked, stay, place, spell):
        self.hidden += place.hidden and asked.steps[-1][0] > min(asked.cut_off, asked.next or asked.cut_off)
        made = [] if place.reason else intervals(asked, stay, place)
        if not made:
            self.excluded[place.reason or "never_reachable"] += 1
            return
        self.devices += 1
        self.implied += place.implied
        silent, origin = made[-1][1] < place.end, place.start if asked.clock == "own" else asked.time
        self.ended["silent"] += len(made) - 1
        self.ended["silent" if silent else place.why] += 1
        for piece, (entry, leave) in enumerate(made):
            updated = place.why == "updated" and not silent and piece == len(made) - 1
            leave = max(leave - origin, 1)
            self.intervals.append((min(entry - origin, leave - 1), leave, place.by if updated else None))
            self.spells.setdefault(spell, []).append(self.intervals[-1])
            self.causes.update([place.by] if updated else [])

    @property
    def doubt(self):
        """Whether limits of chance would mislead: clocks start at the first offer, in a rollout that is not complete."""
        return self.hidden * 100 > self.devices + self.excluded["not_eligible"]


class Table(Counted):
    """What a question about time rests on, of one group; `again` where contacts are looked at once more."""
    def __init__(self, late):
        super().__init__(Bounds(), late)
        self.again = Counted(self.bounds, late)

    def add(self, asked, events, stay, moved, spell, heard):
        place = Place(asked, events, stay, moved)
        self.count(asked, stay, place, spell)
        if place.reason == "born_on" and ran_another(asked, heard, stay):
            place = Place(asked, events, stay, moved, came_with_it=False)
        self.again.count(asked, stay, place, spell)
        self.bounds.add(asked, events, heard, stay, place, intervals)


def limited(rows, *tables):
    """Without limits where one of the tables is in doubt."""
    for name, value in rows:
        yield name, None if name.endswith((".lo", ".hi")) and any(table.doubt for table in tables) else value


def tables(fleet, release, cut_off, **options):
    """A table for each group, by the value of --by; of all where it does not split."""
    asked, found = Asked(fleet, release, cut_off, **options), {}
    late = asked.clock == "release-age"
    heard = {events[0]["device"]: [e for e in events if e["stage"] != "pushSent"] for events in fleet.devices if events}
    for device, events in enumerate(fleet.known(cut_off)):
        if any(about(events, field) not in values for field, values in asked.where.items()):
            continue
        for number, (channel, stay, moved) in enumerate(spells(events)):
            if channel == "production" and (moved is None or moved > asked.time):  # One that was over when the release came was never asked.
                found.setdefault(about(events, asked.by), Table(late)).add(asked, events, stay, moved, (device, number), heard[events[0]["device"]])
    return found if asked.by else {None: found.get(None, Table(late))}


def about(events, field):
    """What a device said of itself last; its platform is the first."""
    if field is None:
        return None
    if field.startswith("tag:"):
        return next((e["tags"][field[4:]] for e in reversed(events) if e.get("tags")), "unknown")
    return next((e[field] for e in reversed(events) if e.get(field)), "unknown")
