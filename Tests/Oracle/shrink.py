"""The smallest fleet that still disagrees: devices are taken away, then events, as long as the two answers differ."""
import json
import shlex

from fleets import rfc3339
from service import Service, parameters


def smaller(lists, size):
    """The list without each run of `size` neighbours."""
    return [lists[:at] + lists[at + size:] for at in range(0, len(lists), size) if size < len(lists)]


def candidates(devices):
    """Without half of the devices, a quarter, one; then without half of a device's events, one."""
    size = len(devices) // 2
    while size:
        yield smaller(devices, size)
        size //= 2
    for size in (4, 1):
        yield [devices[:n] + [less] + devices[n + 1:] for n, events in enumerate(devices) for less in smaller(events, size)]


def first_that_differs(fleet, round_, question, release, options, name, differences):
    """The same number must differ. All candidates of a round are apps of one database."""
    with Service(fleets := [fleet.like(f"small{n}", devices) for n, devices in enumerate(round_)]) as service:
        return next((small for small in fleets if name in [name for _, name, _, _ in differences(service, small, question, release, options)]), None)


def shrunk(fleet, *question):
    while True:
        for round_ in candidates(fleet.devices):
            found = first_that_differs(fleet, round_, *question) if round_ else None
            if found:
                fleet = found
                break
        else:
            return fleet


def show(fleet, question, release, options, name, differences):
    small = shrunk(fleet, question, release, options, name, differences)
    for line in small.lines():
        print(json.dumps(line))
    for name, time, steps in small.published:
        print(f"published: {name} at {rfc3339(time)} {[(rfc3339(at), percent) for at, percent in steps] or ''}")
    words = shlex.join(word for name, value in parameters(question, small, release, options) if name not in ("release", "emulators") for word in (f"--{name}", str(value)))
    print(f"see: uptake {question} {'' if release == 'all' else release + ' '}{words}{' --emulators' if options.get('emulators') else ''} --json")
    with Service([small]) as service:
        for group, name, own, answered in differences(service, small, question, release, options)[:12]:
            print(f"  {group or ''} {name}: the oracle says {own}, the program {answered}")
