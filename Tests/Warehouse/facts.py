"""What a warehouse must hold, computed from the rows of one or more files by other means, and what it does hold."""

import collections
import contextlib
import json
import sqlite3

CONTACTS = {1, 2, 3, 4, 5, 6, 7, 8, 9, 21, 22, 23, 24, 25, 26}
MILESTONES = {3: 1, 4: 2, 5: 3, 6: 4, 7: 5, 8: 6, 9: 7, 21: 10, 23: 11, 24: 12, 25: 13, 26: 14, 1: 20, 2: 20}
CLAIMS = {1: 1, 2: 1, 8: 2, 9: 2, 25: 3}
WAKES = {20, 21, 1, 22, 2}
EVENTS = """
SELECT e.id_hash, c.app, e.device, e.at, e.received, c.channel, coalesce(c.network, ''), c.profile, coalesce(p.platform, ''),
  coalesce(r.label, ''), coalesce(f.label, ''), e.stage, e.trigger, coalesce(e.outcome, 0), coalesce(n.text, ''),
  coalesce(e.duration, -1), coalesce(e.bytes, -1), coalesce(e.bucket, -1), coalesce(e.push, 0),
  json_array(coalesce(p.platform, ''), coalesce(p.os_version, ''), coalesce(p.app_version, ''), coalesce(p.sdk_version, ''),
    coalesce(p.arm, ''), coalesce(p.emulator, -1), coalesce(p.traits, ''))
FROM event e JOIN context c ON c.id = e.context JOIN profile p ON p.id = c.profile LEFT JOIN release r ON r.id = e.release
  LEFT JOIN release f ON f.id = e.from_release LEFT JOIN name n ON n.id = e.reason"""

SETTINGS = (" SETTINGS load_balancing = 'in_order', prefer_localhost_replica = 0, max_replica_delay_for_distributed_queries = 10,"
            " fallback_to_stale_replicas_for_distributed_queries = 0")


def unsigned(number):
    return number % 2**64


def expected(*databases):
    """By table: what is there, as sets or as least and greatest by key."""
    facts = collections.defaultdict(dict)

    def least(table, key, value):
        facts[table][key] = min(value, facts[table].get(key, value))

    for database in databases:
        with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
            rows = list(connection.execute(EVENTS))
        for (identity, app, device, at, received, channel, network, _, platform, release, before, stage, trigger, outcome,
             reason, duration, size, bucket, push, profile) in rows:
            device, push, profile = unsigned(device), unsigned(push), tuple(json.loads(profile))
            key = (unsigned(identity), app, device, at, channel, network, profile, platform, release, before, stage, trigger,
                   outcome, reason, duration, size, bucket, push)
            received = -2**63 if received is None else received
            least("event", key, received)
            facts["mention"][app, channel, platform] = 0
            milestone = MILESTONES.get(stage, 0)
            if release and milestone:
                least("journey", (app, release, channel, device, milestone), at * 8 + trigger)
                if bucket >= 0:
                    least("journey_bucket", (app, release, channel, device), at * 128 + bucket)
            if stage == 24 and release and reason:
                facts["failure"][app, release, channel, device, at * 8 + trigger, reason] = 0
            if stage in WAKES:
                week = min(max(at // 604_800_000, 2087), 6783)
                sent = stage == 20
                facts["wake"][app, week, device, at, stage, trigger, outcome, push, min(duration, 2**31 - 1),
                              release if sent else "", channel, platform if sent else ""] = 0
            if stage in CONTACTS:
                claim = CLAIMS.get(stage, 0) if release else 0
                key = (app, device, channel, claim, release if claim else "", at // 86_400_000)
                first, last = facts["contact"].get(key, (at, at))
                facts["contact"][key] = (min(first, at), max(last, at))
                least("profile_seen", (app, device, profile), at)
                if bucket >= 0:
                    least("device_bucket", (app, device), at * 128 + bucket)
    return facts


class Held:
    """What a warehouse holds, its hashes put into words."""

    READS = {
        "event": ("id, W(app), device, at, W(channel), W(networkText), P(profile), W(platform), R(release), R(fromRelease), "
                  "stage, trigger, outcome, W(reason), duration, bytes, bucket, push", "min(received)"),
        "mention": ("W(app), W(one), W(other)", "0"),
        "journey": ("W(app), R(release), W(channel), device, milestone", "minMerge(first)"),
        "journey_bucket": ("W(app), R(release), W(channel), device", "minMerge(first)"),
        "failure": ("W(app), R(release), W(channel), device, first, W(reason)", "0"),
        "wake": ("W(app), week, device, at, stage, trigger, outcome, push, milliseconds, R(pushedRelease), W(channel), W(pushedPlatform)",
                 "0"),
        "contact": ("W(app), device, W(channel), claim, R(claimed), day", "minMerge(first), maxMerge(last)"),
        "profile_seen": ("W(app), device, P(profile)", "minMerge(first)"),
        "device_bucket": ("W(app), device", "minMerge(first)"),
    }

    def __init__(self, server, database):
        def rows(sql):
            # As the program asks: what was shipped is read where it was written.
            text = server.query(sql.replace("FROM ", f"FROM {database}.") + SETTINGS)
            return [line.split("\t") for line in text.splitlines()]
        self.query = rows
        self.words = {"0": "", **dict(self.query("SELECT DISTINCT toString(hash), text FROM word"))}
        self.releases = {"0": "", **dict(self.query("SELECT DISTINCT toString(hash), label FROM release"))}
        self.profiles = {row[0]: (*row[1:6], int(row[6]), row[7].replace("\\n", "\n")) for row in self.query(
            "SELECT DISTINCT toString(hash), platform, osVersion, appVersion, sdkVersion, arm, emulator, traits FROM profile")}

    def table(self, name):
        keys, values = self.READS[name]
        keys = keys.split(", ")
        columns = [key.strip("WPR()") for key in keys]
        kind = "WHERE kind = 3 " if name == "mention" else ""
        sql = f"SELECT {', '.join(columns)}, {values} FROM {name} {kind}GROUP BY {', '.join(columns)}"
        return dict(self.fact(keys, row) for row in self.query(sql))

    def fact(self, keys, row):
        known = {"W": self.words, "R": self.releases, "P": self.profiles}
        key = tuple(known[kind[0]][word] if kind.endswith(")") else int(word) for kind, word in zip(keys, row))
        values = tuple(int(word) for word in row[len(keys):])
        return key, values if len(values) > 1 else values[0]


def differences(server, database, *files):
    """What is not as it should be, in words, a line a table; nothing where all is well."""
    try:
        return list(odd(expected(*files), Held(server, database)))
    except RuntimeError as error:
        return [str(error)]
    except KeyError as error:
        return [f"a row has {error}, which came after the words were read"]


def odd(wanted, held):
    for name in Held.READS:
        there = held.table(name)
        keys = [key for key in wanted[name].keys() | there.keys() if wanted[name].get(key) != there.get(key)]
        if keys:
            yield (f"{name}: {len(keys)} of {len(wanted[name])} differ, such as {keys[0]}: "
                   f"{wanted[name].get(keys[0])} became {there.get(keys[0])}")
