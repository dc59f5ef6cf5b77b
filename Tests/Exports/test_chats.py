"""Messages in Slack, Teams and Discord, held against what these document of messages that they take."""
import datetime
import json
import re
import time

from fleet import APP, Fleet, FleetTest, instant, run, words
from receiver import Receiver
from service import Service, eventually

NOW = instant("2025-03-12T00:00:00Z")
CHATS = {"slack": "SLACK_WEBHOOK_URL", "teams": "TEAMS_WEBHOOK_URL", "discord": "DISCORD_WEBHOOK_URL"}
TOKEN = "/services/T024BE7LH/B0KENS0L3/0123456789abcdefghij"
PAGES = "https://uptake.example.com"
HOSTILE = "<!channel> @everyone [x](http://evil.example) **b** `c` <at>all</at> &lt; <@U1>"


def texts(body):
    """Every text of a message, wherever it stands."""
    if isinstance(body, dict):
        return [text for value in body.values() for text in texts(value)]
    if isinstance(body, list):
        return [text for value in body for text in texts(value)]
    return [body] if isinstance(body, str) else []


class Rules:
    """What each vendor documents; a message that breaks one is refused there, or calls somebody."""

    def slack(self, test, body):
        """https://docs.slack.dev/reference/block-kit/blocks and /messaging/formatting-message-text, as of March 2025."""
        test.assertLessEqual(set(body), {"text", "blocks", "unfurl_links", "unfurl_media"})
        test.assertLessEqual(len(body["blocks"]), 50)
        test.assertEqual(body["blocks"][0]["type"], "header")
        for block in body["blocks"]:
            if block["type"] == "header":
                test.assertLessEqual(set(block), {"type", "text"})
                self.slack_text(test, block["text"], 150, "plain_text")
                continue
            test.assertEqual(block["type"], "section")
            test.assertTrue("text" in block or "fields" in block)
            if "text" in block:
                self.slack_text(test, block["text"], 3000)
            test.assertLessEqual(len(block.get("fields", [])), 10)
            for field in block.get("fields", []):
                self.slack_text(test, field, 2000)
        self.slack_marks(test, body["text"])

    def slack_text(self, test, text, limit, kind=None):
        test.assertIn(text["type"], [kind] if kind else ["plain_text", "mrkdwn"])
        test.assertTrue(1 <= len(text["text"]) <= limit, text)
        if text["type"] == "plain_text":
            test.assertFalse(text["emoji"])
            self.slack_marks(test, text["text"])
        else:
            test.assertNotIn("emoji", text)
            test.assertRegex(text["text"], r"^<https://[^<>|]+\|The (release's page|overview)>$")

    def slack_marks(self, test, text):
        test.assertNotRegex(text, r"[<>]|&(?!amp;|lt;|gt;)")

    def teams(self, test, body):
        """https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using and
        the schema of Adaptive Cards 1.4; a message has 28 KB at most."""
        test.assertLess(len(json.dumps(body).encode()), 28_000)
        test.assertEqual(set(body), {"type", "attachments"})
        test.assertEqual(body["type"], "message")
        [attachment] = body["attachments"]
        test.assertEqual(set(attachment), {"contentType", "contentUrl", "content"})
        test.assertEqual(attachment["contentType"], "application/vnd.microsoft.card.adaptive")
        test.assertIsNone(attachment["contentUrl"])
        card = attachment["content"]
        test.assertEqual((card["type"], card["version"]), ("AdaptiveCard", "1.4"))
        test.assertEqual(card["$schema"], "http://adaptivecards.io/schemas/adaptive-card.json")
        # A mention needs an entity; there is none, so none can be made.
        test.assertEqual(card["msteams"], {"width": "Full"})
        for block in card["body"]:
            # No Markdown in runs of text, unlike in a TextBlock.
            test.assertEqual((set(block), block["type"]), ({"type", "inlines"}, "RichTextBlock"))
            for run_ in block["inlines"]:
                test.assertEqual(run_["type"], "TextRun")
                test.assertLessEqual(set(run_), {"type", "text", "size", "weight", "color", "isSubtle"})
                test.assertTrue(run_["text"])
        for action in card["actions"]:
            test.assertEqual((set(action), action["type"]), ({"type", "title", "url"}, "Action.OpenUrl"))

    def discord(self, test, body):
        """https://docs.discord.com/developers/resources/message#embed-object-embed-limits"""
        test.assertEqual(set(body), {"embeds", "allowed_mentions"})
        test.assertEqual(body["allowed_mentions"], {"parse": []})
        [embed] = body["embeds"]
        test.assertLessEqual(set(embed), {"title", "description", "color", "timestamp", "fields", "url"})
        length = lambda text: len(text.encode("utf-16-le")) // 2
        test.assertTrue(1 <= length(embed["title"]) <= 256)
        test.assertLessEqual(length(embed["description"]), 4096)
        test.assertLessEqual(len(embed["fields"]), 25)
        for field in embed["fields"]:
            test.assertTrue(1 <= length(field["name"]) <= 256 and 1 <= length(field["value"]) <= 1024)
        whole = [embed["title"], embed["description"]] + [field[key] for field in embed["fields"] for key in ("name", "value")]
        test.assertLessEqual(sum(map(length, whole)), 6000)
        test.assertTrue(0 <= embed["color"] <= 0xFFFFFF)
        instant(embed["timestamp"])
        for text in [embed["title"], embed["description"]] + [field["value"] for field in embed["fields"]]:
            test.assertNotRegex(text.replace("\n", " "), r"(?<!\\)(?:\\\\)*[*_~`|<\[\]@#]")


RULES = Rules()


class ChatTest(FleetTest):
    def receiver(self, *answers):
        """Answers these in turn, then what the vendors answer."""
        left = list(answers)
        receiver = Receiver(lambda request: left.pop(0) if left else (202, {}, "ok"))
        self.addCleanup(receiver.close)
        receiver.times = []
        return receiver

    def call(self, fleet, chat, receiver, *more, now=NOW, token=TOKEN, check=True):
        return fleet.export(chat, "--now", words(now), *more, check=check,
                            environment={CHATS[chat]: receiver.place + token})

    def send(self, fleet, chat, receiver, *more, **keywords):
        return self.call(fleet, chat, receiver, "--send", "--pages-url", PAGES, *more, **keywords)


class Messages(ChatTest):
    @classmethod
    def setUpClass(cls):
        cls.shared = Fleet(NOW)
        cls.addClassCleanup(cls.shared.close)

    def test_says_what_why_and_where_by_the_vendors_rules(self):
        for chat in CHATS:
            with self.subTest(chat):
                receiver = self.receiver()
                self.send(self.shared, chat, receiver)
                self.assertTrue(receiver.requests)
                for request in receiver.requests:
                    self.assertEqual((request.method, request.path), ("POST", TOKEN))
                    self.assertEqual(request.headers["Content-Type"], "application/json")
                    getattr(RULES, chat)(self, request.json)
                said = " ".join(texts(receiver.requests[-1].json)).replace("\\", "")
                for part in ["2.0.0 on production: ", "first attempts failed", APP, "Updated", "%", "2025-03-12 00:00 UTC",
                             f"{PAGES}/release/2.0.0/production.html"]:
                    self.assertIn(part, said)

    def test_one_message_for_each_verdict_and_never_the_same_twice(self):
        for chat in CHATS:
            with self.subTest(chat):
                fleet, receiver = self.fleet(NOW), self.receiver()
                for hours in (28, 28, 20, 0, 0):
                    self.send(fleet, chat, receiver, now=instant(fleet.at(hours)))
                titles = [re.search(r"2\.0\.0 on production: [\w ]+(?:: \w+)?", " ".join(texts(r.json)).replace("\\", "")).group()
                          for r in receiver.requests if "2.0.0" in json.dumps(r.json)]
                self.assertGreaterEqual(len(titles), 2, "the verdict changes once at least")
                self.assertTrue(all(a != b for a, b in zip(titles, titles[1:])), titles)
                self.assertIn("2.0.0 on production: Stop", titles[-1])

    def test_without_pages_there_is_no_link(self):
        for chat in CHATS:
            receiver = self.receiver()
            printed = self.call(self.fleet(NOW, devices=40), chat, receiver).stdout
            self.assertNotIn("/release/", printed)
            self.assertEqual(receiver.requests, [])


def title(body):
    return body["blocks"][0]["text"]["text"]


class Halts(ChatTest):
    """At three in the morning a channel that heard "Stop" hears that somebody halted it, and that it went on."""

    def setUp(self):
        self.bad, self.hook = self.fleet(NOW), self.receiver()
        self.tell(0)

    def release(self, *words_):
        run("release", *words_, "--db", self.bad.database, "--app", APP)

    def tell(self, hours, release="2.0.0"):
        """Titles of what is told of a release so many hours after the present."""
        return [title(body) for body in self.told(hours, release)]

    def told(self, hours, release, *options):
        before = len(self.hook.requests)
        self.send(self.bad, "slack", self.hook, *options, now=NOW + datetime.timedelta(hours=hours))
        said = [request.json for request in self.hook.requests[before:]]
        for body in said:
            RULES.slack(self, body)
        return [body for body in said if f"{release} on" in title(body)]

    def test_a_halt_and_its_end_are_told_once_each(self):
        self.release("halt", "2.0.0", "--at", self.bad.at(-0.5))
        [said] = self.told(1, "2.0.0")
        self.assertEqual(title(said), "● 2.0.0 on production: halted")
        self.assertIn("Verdict: Stop: failing", texts(said))
        self.assertIn("As of: 2025-03-12 00:30 UTC", texts(said))
        self.assertEqual(self.tell(1.2), [])
        self.release("widen", "2.0.0", "50", "--at", self.bad.at(-1.5))
        self.assertIn("› 2.0.0 on production: goes on at 50%", self.tell(2))
        self.assertEqual(self.tell(2.2), [])

    def test_how_many_still_run_it_is_told_with_the_halt_and_a_day_and_a_week_later(self):
        [stop] = [r.json for r in self.hook.requests if "2.0.0 on" in title(r.json)]
        self.assertRegex(" ".join(texts(stop)), r"[1-9]\d* of \d+ devices that launched it still run it as of ")
        self.release("halt", "2.0.0", "--at", self.bad.at(-0.5))
        [said] = self.told(1, "2.0.0")
        self.assertRegex(" ".join(texts(said)), r"\n?[1-9]\d* of \d+ devices that launched it ran it as of .*it was halted at .* nothing is known since")
        self.assertEqual(self.tell(24), [])
        [said] = self.told(25, "2.0.0")
        self.assertRegex(title(said), r"^● 2\.0\.0 on production: [1-9]\d* devices ran it when last heard of$")
        self.assertEqual(self.tell(26) + self.tell(100), [])
        [later] = self.tell(24 * 7 + 1)
        self.assertEqual(later, title(said))
        self.assertEqual(self.tell(24 * 7 + 2) + self.tell(24 * 20), [])

    def test_devices_that_were_silent_for_a_day_are_not_said_to_run_it_still(self):
        """Heard of for three hours after the halt, and not since."""
        self.release("halt", "2.0.0", "--at", self.bad.at(4))
        self.assertEqual(self.tell(0.2), ["● 2.0.0 on production: halted"])
        [said] = self.told(25, "2.0.0")
        self.assertRegex(title(said), r"^● 2\.0\.0 on production: [1-9]\d* devices ran it when last heard of$")

    def test_the_hotfix_says_how_many_run_the_bad_one(self):
        self.release("halt", "2.0.0", "--at", self.bad.at(-0.5))
        self.bad.publish("2.0.1", "production", hours=-0.6)
        [said] = self.told(1, "2.0.1")
        self.assertRegex(" ".join(texts(said)), r"[1-9]\d* of \d+ devices that launched 2\.0\.0 on production ran it as of ")

    def test_a_halt_that_was_registered_late_is_told(self):
        self.release("halt", "2.0.0", "--at", self.bad.at(0.5))
        self.assertEqual(self.tell(0.1), ["● 2.0.0 on production: halted"])

    def test_a_verdict_that_says_halted_says_it_alone(self):
        self.bad.publish("3.0.0", "production", hours=-0.1, rollout="50%@0h")
        self.assertEqual(self.tell(0.2, "3.0.0"), ["› 3.0.0 on production: Wait: too early"])
        self.release("halt", "3.0.0", "--at", self.bad.at(-0.5))
        self.assertEqual(self.tell(1, "3.0.0"), ["● 3.0.0 on production: Wait: halted"])
        self.assertEqual(self.tell(1.2, "3.0.0"), [])

    def test_a_publication_that_is_withdrawn_and_put_back_is_told(self):
        self.release("withdraw", "2.0.0")
        self.assertIn("● 2.0.0 on production: withdrawn", self.tell(0.5))
        self.assertNotIn("● 2.0.0 on production: withdrawn", self.tell(0.6))
        self.bad.publish("2.0.0", "production", hours=30, rollout="10%@0h,50%@12h,100%@24h")
        self.assertEqual(self.tell(0.7), ["✗ 2.0.0 on production: Stop: failing"])
        self.assertEqual(self.tell(0.8), [])

    def test_who_wants_verdicts_alone_gets_no_halts(self):
        self.release("halt", "2.0.0", "--at", self.bad.at(-0.5))
        self.assertEqual(self.told(1, "2.0.0", "--only", "verdict"), [])


class Hostile(ChatTest):
    def test_names_call_nobody_and_make_no_marks(self):
        fleet = self.fleet(NOW, devices=60)
        events = []
        for number in range(60):
            at = lambda hours: fleet.at(hours)
            phone = {"app": APP, "channel": "production", "device": f"h{number}"}
            events += [{**phone, "at": at(9), "stage": "check"},
                       {**phone, "at": at(5), "stage": "failed", "release": HOSTILE, "reason": HOSTILE}]
        run("import", "-", "--db", fleet.database, "--now", words(NOW), input="".join(json.dumps(e) + "\n" for e in events))
        fleet.publish(HOSTILE, "production", hours=8)
        for chat in CHATS:
            with self.subTest(chat):
                receiver = self.receiver()
                self.send(fleet, chat, receiver)
                self.assertTrue(any("channel" in json.dumps(r.json) for r in receiver.requests))
                for request in receiver.requests:
                    getattr(RULES, chat)(self, request.json)

    def test_long_names_and_many_reasons_fit(self):
        fleet = self.fleet(NOW, devices=40)
        long = "&<@" * 40 + "x"
        fleet.publish(long, "production", hours=8)
        for chat in CHATS:
            with self.subTest(chat):
                receiver = self.receiver()
                self.send(fleet, chat, receiver, "--release", long)
                for request in receiver.requests:
                    getattr(RULES, chat)(self, request.json)


class Trouble(ChatTest):
    def test_retry_after_is_obeyed(self):
        for chat, pause, least in (("slack", "1", 1), ("teams", "1", 1), ("discord", "0.35", 0.35)):
            with self.subTest(chat):
                times = []
                first = [(429, {"Retry-After": pause}, "{}")]

                def answer(request):
                    times.append(time.monotonic())
                    return first.pop() if first else (204, {}, "")

                receiver = Receiver(answer)
                self.addCleanup(receiver.close)
                fleet = self.fleet(NOW, devices=40)
                self.send(fleet, chat, receiver, "--release", "2.0.0", "--patience", "20s")
                self.assertEqual(len(times), 2)
                self.assertGreaterEqual(times[1] - times[0], least - 0.05)
                self.assertLess(times[1] - times[0], 15)

    def test_after_an_outage_the_last_message_is_the_last_word(self):
        state = {"status": 503}
        receiver = Receiver(lambda request: (state["status"], {}, "ok"))
        self.addCleanup(receiver.close)
        fleet = self.fleet(NOW)
        tell = lambda now: self.send(fleet, "slack", receiver, "--only", "verdict", "--patience", "0s", check=False, now=now)
        for _ in range(5):
            tell(NOW)
        later = NOW + datetime.timedelta(hours=2)
        fleet.publish("3.0.0", "production", hours=-1)
        tell(later)
        state["status"] = 200
        before = len(receiver.requests)
        tell(later)
        told = [(request.json["blocks"][0]["text"]["text"], request.json["blocks"][-2]["fields"][-1]["text"])
                for request in receiver.requests[before:]]
        self.assertEqual([time for _, time in told], ["As of: 2025-03-12 00:00 UTC"] + ["As of: 2025-03-12 02:00 UTC"] * 2)
        self.assertIn("2.0.0 on production: Stop", told[0][0])
        self.assertIn("› 2.0.0 on production: Replaced", [title for title, _ in told[1:]])

    def test_the_address_is_a_secret(self):
        for chat in CHATS:
            with self.subTest(chat):
                fleet = self.fleet(NOW, devices=40)
                gone = self.receiver((404, {}, "no_service " + TOKEN))
                said = []
                printed = self.call(fleet, chat, gone)
                self.assertIn("POST (withheld)", printed.stdout)
                refused = self.send(fleet, chat, gone, "--patience", "0s", check=False)
                self.assertEqual(refused.returncode, 1)
                said += [printed.stdout, printed.stderr, refused.stdout, refused.stderr]
                said += [json.dumps(fleet.told("target", "reason"))]
                said.append(run("doctor", "--db", fleet.database, check=False).stdout)
                said.append(run("status", "--db", fleet.database).stdout)
                for text in said:
                    self.assertNotIn("B0KENS0L3", text)
                self.assertIn(chat, said[-3])

    def test_two_addresses_of_one_host_are_two_receivers(self):
        fleet, receiver = self.fleet(NOW, devices=40), self.receiver()
        self.send(fleet, "slack", receiver, "--release", "2.0.0")
        self.send(fleet, "slack", receiver, "--release", "2.0.0", token=TOKEN + "2")
        self.send(fleet, "slack", receiver, "--release", "2.0.0")
        self.assertEqual([request.path for request in receiver.requests], [TOKEN, TOKEN + "2"])

    def test_wrong_orders_say_what_to_do(self):
        fleet = self.fleet(NOW, devices=10)
        rows = [({}, [], "SLACK_WEBHOOK_URL is not set"), ({"SLACK_WEBHOOK_URL": "xoxb-123"}, [], "not the address of a webhook"),
                ({"SLACK_WEBHOOK_URL": "http://x/y"}, ["--to", "http://z"], "has no use for --to"),
                ({"SLACK_WEBHOOK_URL": "http://x/y"}, ["--pages-url", "nonsense"], "https://uptake.example.com")]
        for environment, more, says in rows:
            done = fleet.export("slack", *more, environment=environment, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn(says, done.stderr)
            self.assertNotIn("xoxb", done.stderr)

    def test_a_service_tells_by_itself(self):
        fleet, receiver = self.fleet(instant()), self.receiver()
        entries = "".join(f'[[export]]\ntarget = "{chat}"\nevery = "1s"\npages-url = "{PAGES}"\n' for chat in CHATS)
        service = Service(fleet.database, entries, {name: f"{receiver.place}{TOKEN}/{chat}" for chat, name in CHATS.items()})
        self.addCleanup(service.close)
        told = lambda: {request.path.rsplit("/", 1)[1] for request in receiver.requests}
        self.assertTrue(eventually(lambda: told() == set(CHATS)))
        time.sleep(2.5)
        bodies = [(request.path, request.body) for request in receiver.requests]
        self.assertEqual(len(bodies), len(set(bodies)), "nothing twice")
        service.stop()
        self.assertNotIn("B0KENS0L3", service.said())
