"""`uptake mcp` with the official client of the Model Context Protocol, in both of its ways to begin."""

import asyncio
import json
import subprocess
import tempfile
import unittest

from jsonschema import Draft202012Validator
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError

from fleet import APP, PROGRAM, Fleet, environment, run

RELEASE = {"release": "4.5.0", "channel": ["production"]}


class WithFleet(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.fleet = Fleet()

    @classmethod
    def tearDownClass(cls):
        cls.fleet.close()

    def server(self, *words, database):
        return StdioServerParameters(
            command=PROGRAM, args=["mcp", "--db", database or self.fleet.database, *words], env=environment(), cwd="/")

    def each_way(self, conversation, *words, database=None):
        for mode, revision in [("legacy", "2025-11-25"), ("auto", "2026-07-28")]:
            async def whole():
                async with Client(self.server(*words, database=database), mode=mode) as client:
                    self.assertEqual(client.protocol_version, revision)
                    await conversation(client)
            with self.subTest(mode):
                asyncio.run(whole())


class Conversations(WithFleet):
    """The client validates each answer by the schema that the tool has declared."""

    def test_says_who_it_is(self):
        async def conversation(client):
            self.assertEqual(client.server_info.name, "uptake")
            self.assertIn("verdict", client.instructions)
            self.assertIsNotNone(client.server_capabilities.tools)
            self.assertIsNotNone(client.server_capabilities.resources)
        self.each_way(conversation)

    def test_every_question_is_a_tool_and_answers_by_its_schema(self):
        async def conversation(client):
            tools = (await client.list_tools()).tools
            self.assertEqual({tool.name for tool in tools}, self.questions())
            for tool in tools:
                for schema in (tool.input_schema, tool.output_schema):
                    Draft202012Validator.check_schema(schema)
                    self.assertEqual(schema["type"], "object")
                self.assertTrue(tool.annotations.read_only_hint)
                self.assertFalse(tool.annotations.destructive_hint)
                needed = tool.input_schema["required"]
                sent = dict(zip(needed, ["4.5.0", "4.4.0"]))
                Draft202012Validator(tool.input_schema).validate(sent)
                result = await client.call_tool(tool.name, sent)
                self.assertFalse(result.is_error, f"{tool.name}: {result.content}")
                self.assertEqual(result.structured_content["schema"], f"uptake.{tool.name}/1")
                self.assertTrue(result.content[0].text)
        self.each_way(conversation)

    def questions(self):
        with open(f"{__file__.rsplit('/', 3)[0]}/docs/openapi.json") as file:
            paths = json.load(file)["paths"]
        [place] = [p for p in paths["/v1/answers/{question}"]["get"]["parameters"] if p["name"] == "question"]
        return set(place["schema"]["enum"])

    def test_answers_as_the_command_line_does(self):
        now = "2030-01-01T00:00:00Z"

        async def conversation(client):
            for name in ["adoption", "mechanisms", "failures"]:
                result = await client.call_tool(name, {**RELEASE, "now": now, "ci": 0.9})
                line = run(name, "4.5.0", "--channel", "production", "--now", now, "--ci", "0.9", "--json", "--quiet",
                           "--db", self.fleet.database)
                self.assertEqual(result.structured_content, json.loads(line), name)
        self.each_way(conversation)

    def test_bad_input_is_an_answer_that_says_what_is_wrong(self):
        rows = [
            ("adoption", {}, "the parameter release is missing"), ("adoption", {"release": "9.9.9"}, "9.9.9"),
            ("adoption", {"release": "4.5.0", "chanel": "beta"}, "channel"),
            ("adoption", {"release": "4.5.0", "ci": 7}, "0.5 to 0.999"),
            ("adoption", {"release": "4.5.0", "at": ["soon"]}, "soon"),
            ("adoption", {"release": {"x": 1}}, "release is an object"),
            ("adoption", {"release": "4.5.0", "db": "/etc/passwd"}, "there is no parameter"),
            ("adoption", {"release": "4.5.0", "output": "/tmp/x"}, "there is no parameter"),
            ("verdict", {"app": "com.example.other"}, "com.example.other"),
        ]

        async def conversation(client):
            for tool, sent, says in rows:
                result = await client.call_tool(tool, sent)
                self.assertTrue(result.is_error, f"{tool} {sent}")
                self.assertIn(says, result.content[0].text)
            with self.assertRaises(MCPError) as caught:
                await client.call_tool("delete", {})
            self.assertEqual(caught.exception.code, -32602)
            # And it goes on.
            self.assertFalse((await client.call_tool("verdict", {})).is_error)
        self.each_way(conversation)

    def test_resources(self):
        async def conversation(client):
            resources = {r.uri: r for r in (await client.list_resources()).resources}
            for uri in ["uptake://help/definitions", "uptake://help/adoption", f"uptake://releases/{APP}/4.5.0"]:
                self.assertIn(uri, resources)
            for uri, resource in resources.items():
                [content] = (await client.read_resource(uri)).contents
                self.assertEqual((content.uri, content.mime_type), (uri, resource.mime_type))
                if content.mime_type == "application/json":
                    self.assertEqual(json.loads(content.text)["schema"], "uptake.verdict/1")
                else:
                    self.assertGreater(len(content.text), 100)
            self.assertEqual(len((await client.list_resource_templates()).resource_templates), 2)
            for uri in ["uptake://help/nothing", "uptake://releases/x", "uptake://releases/%zz/1", "file:///etc/passwd"]:
                with self.assertRaises(MCPError):
                    await client.read_resource(uri)
        self.each_way(conversation)

    def test_started_for_one_app_it_answers_of_no_other(self):
        """Which is in the same database."""
        other = "com.example.other"

        async def conversation(client):
            self.assertFalse((await client.call_tool("verdict", {})).is_error)
            [release] = (await client.read_resource(f"uptake://releases/{APP}/4.5.0")).contents
            self.assertIn('"uptake.verdict/1"', release.text)
            told = await client.call_tool("verdict", {"app": other})
            self.assertTrue(told.is_error)
            self.assertIn(f"only {APP}", told.content[0].text)
            with self.assertRaises(MCPError) as caught:
                await client.read_resource(f"uptake://releases/{other}/1.0")
            self.assertIn(f"only {APP}", str(caught.exception))
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            database, event = f"{folder}/two.db", f"{folder}/event.json"
            run("backup", database, "--db", self.fleet.database)
            with open(event, "w") as file:
                json.dump({"app": other, "device": "d", "release": "1.0", "stage": "applied", "at": "2025-03-01T00:00:00Z"}, file)
            run("import", event, "--db", database)
            self.each_way(conversation, "--app", APP, database=database)


class Lines(WithFleet):
    """What no client of good manners sends."""

    def exchange(self, *lines):
        done = subprocess.run(
            [PROGRAM, "mcp", "--db", self.fleet.database], input="".join(line + "\n" for line in lines),
            env=environment(), capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_ends_with_its_input(self):
        self.assertEqual(self.exchange(), [])

    def test_what_is_no_request(self):
        rows = [
            ("nonsense", -32700), ("{", -32700), ("[1]", -32600), ('{"id":1}', -32600),
            ('{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600), ('{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
            ('{"jsonrpc":"2.0","id":1,"method":"tools/drop"}', -32601), ("[" * 10000, -32700),
        ]
        for line, code in rows:
            [answer, alive] = self.exchange(line, '{"jsonrpc":"2.0","id":"a","method":"ping"}')
            answer = answer[0] if isinstance(answer, list) else answer
            self.assertEqual(answer["error"]["code"], code, line[:60])
            self.assertEqual(alive, {"jsonrpc": "2.0", "id": "a", "result": {}})

    def test_notifications_and_strange_answers_are_not_answered(self):
        self.assertEqual(self.exchange(
            '{"jsonrpc":"2.0","method":"notifications/initialized"}', '{"jsonrpc":"2.0","method":"tools/call"}',
            '{"jsonrpc":"2.0","id":4,"result":{}}'), [])

    def test_a_batch_is_answered_as_one(self):
        [answers] = self.exchange(
            '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":2,"method":"x"}]')
        self.assertEqual([answer["id"] for answer in answers], [1, 2])

    def test_the_revision_that_is_asked_for(self):
        for asked, agreed in [("2024-11-05", "2024-11-05"), ("2025-06-18", "2025-06-18"), ("1999-01-01", "2025-11-25")]:
            [answer] = self.exchange(json.dumps({
                "jsonrpc": "2.0", "id": 1, "method": "initialize",
                "params": {"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}}))
            self.assertEqual(answer["result"]["protocolVersion"], agreed)

    def test_what_is_wrong_from_the_start_is_told(self):
        for words, status in [(["--db", "/nowhere/x.db"], 5), (["--db", self.fleet.database, "--app", "x"], 2)]:
            done = subprocess.run([PROGRAM, "mcp", *words], input="", env=environment(), capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)

    def test_nothing_is_written(self):
        def state():
            with open(self.fleet.database, "rb") as file:
                return file.read()
        before = state()
        self.exchange(*[json.dumps({"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": {"name": n, "arguments": {}}})
                        for n in ["verdict", "releases", "push"]])
        self.assertEqual(state(), before)


if __name__ == "__main__":
    unittest.main()
