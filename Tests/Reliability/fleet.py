"""Clients that number their events, so that the database can say exactly which of them it holds.

An event's number is its `id` and its `durationMs`; the table keeps the latter as it is.
"""
import itertools
import json
import threading

from service import Client, Gone, read

STAGES = ["check", "available", "downloadStarted", "downloadCompleted", "verified", "ready", "applied", "confirmed"]
TRIGGERS = ["silentPush", "bgRefresh", "foreground"]
DEVICES = 500
START = 1_740_000_000_000


def event(number, devices=DEVICES):
    """One device walks through the stages of a release, and then of the next."""
    device, step = number % devices, number // devices
    return {
        "id": f"n{number}", "durationMs": number, "device": f"d{device}", "app": "com.example.load",
        "stage": STAGES[step % len(STAGES)], "release": f"1.{step // len(STAGES) % 5}",
        "trigger": TRIGGERS[(device + step) % 3], "at": START + number * 1000, "platform": "ios" if device % 2 else "android",
        "channel": "production" if device % 7 else "beta"}


def lines(numbers, devices=DEVICES):
    return "\n".join(json.dumps(event(number, devices)) for number in numbers).encode()


def visits(devices, first=10_000_000):
    """Checks of devices that say another release every time, two days apart for each: 17,000 contact runs a device, more than the
    16,384 from which a merge leaves a shard's runs where they are. By their numbers."""
    runs = itertools.product(range(devices), range(170), range(100))
    return {first + number: {
        "id": f"n{first + number}", "durationMs": first + number, "device": f"old{device}", "app": "com.example.load",
        "stage": "check", "release": f"0.{release}", "at": START - (2 * day + 1) * 86_400_000 + release * 1000,
        "platform": "ios", "channel": "production"} for number, (device, day, release) in enumerate(runs)}


class Fleet:
    """What was sent and what was answered, over all lives of the service."""

    def __init__(self, batch=20, devices=DEVICES):
        self.batch, self.devices = batch, devices
        self.numbers = itertools.count(1)
        self.sent, self.acknowledged, self.statuses = set(), set(), {}
        self.unanswered = []
        self.lock = threading.Lock()

    def take(self):
        """The next numbers, or those of a request that was never answered: clients send it again."""
        with self.lock:
            if self.unanswered:
                return self.unanswered.pop()
            numbers = list(itertools.islice(self.numbers, self.batch))
            self.sent.update(numbers)
            return numbers

    def send(self, client, numbers=None):
        numbers = numbers or self.take()
        try:
            answer = client.ask("POST", "/v1/events", lines(numbers, self.devices), Content_Type="application/x-ndjson")
        except (Gone, OSError):
            with self.lock:
                self.unanswered.append(numbers)
            raise
        with self.lock:
            self.statuses[answer.status] = self.statuses.get(answer.status, 0) + 1
            if answer.status == 200:
                self.acknowledged.update(numbers)
            else:
                self.unanswered.append(numbers)
        return answer

    def send_until_gone(self, port):
        try:
            client = Client(port)
            while True:
                self.send(client)
        except (Gone, OSError):
            return

    def stored(self, database):
        """The numbers in the table, each as often as it is there."""
        return [row[0] for row in read(database, "SELECT duration FROM event")]

    def check_whole(self, test, database):
        """What is in the table was sent, and nothing is there twice; answers the table's numbers."""
        stored = self.stored(database)
        test.assertEqual(read(database, "PRAGMA integrity_check"), [("ok",)])
        test.assertEqual(len(stored), len(set(stored)), "an event is stored twice")
        test.assertEqual(set(stored) - self.sent, set(), "events are stored that nobody sent")
        return set(stored)

    def check(self, test, database):
        """Acknowledged is stored, stored was sent, and nothing is there twice."""
        stored = self.check_whole(test, database)
        test.assertEqual(self.acknowledged - stored, set(), "acknowledged events are not stored")
        return len(stored)
