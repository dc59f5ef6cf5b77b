"""What a holder of a public key may say: it is bounded, and an answer that rests on it says so."""
import json
import time
import unittest

from service import Service

DAY = 86_400_000
DEVICES = 400


def sent(service, events):
    for start in range(0, len(events), 2000):
        body = "\n".join(map(json.dumps, events[start:start + 2000])).encode()
        answer = service.ask("POST", "/v1/events", body, Content_Type="application/x-ndjson")
        assert answer.status == 200 and answer.json["rejected"] == 0, answer


def fleet(now):
    """Devices that were there for a while, half of which updated to a release that nobody registered."""
    events = []
    for number in range(DEVICES):
        common = {"device": f"d{number}", "app": "a", "channel": "production", "platform": "ios"}
        events += [{**common, "stage": "check", "release": "1", "at": now - day * DAY} for day in (20, 12, 5, 2)]
        events.append({**common, "stage": "available", "release": "2", "at": now - 4 * DAY})
        if number % 2:
            events.append({**common, "stage": "applied", "release": "2", "at": now - 3 * DAY + number, "trigger": "silentPush"})
    return events


def warned(service, question):
    answer = service.ask("GET", f"/v1/answers/{question}").json
    return {warning["code"]: warning["message"] for warning in answer["warnings"]}, answer


class FirstEvents(unittest.TestCase):
    QUESTIONS = ["adoption?release=2", "time-to-update?release=2", "reach?release=2", "releases", "verdict?release=2"]

    def test_one_that_stands_alone_is_named(self):
        now = int(time.time() * 1000)
        with Service() as service:
            sent(service, fleet(now))
            for question in self.QUESTIONS:
                self.assertNotIn("doubtful_publication", warned(service, question)[0], question)
            sent(service, [{"device": "liar", "app": "a", "channel": "production", "platform": "ios", "stage": "available",
                            "release": "2", "at": 946_684_800_000}])
            for question in self.QUESTIONS:
                words, _ = warned(service, question)
                self.assertIn("2000-01-01T00:00:00Z", words["doubtful_publication"], question)
                self.assertIn("uptake release publish", words["doubtful_publication"])
            service.ask("PUT", "/v1/releases/2", json.dumps({"app": "a", "publishedAt": now - 4 * DAY}).encode())
            for question in self.QUESTIONS:
                words, answer = warned(service, question)
                self.assertNotIn("doubtful_publication", words, question)


if __name__ == "__main__":
    unittest.main()
