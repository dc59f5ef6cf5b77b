"""A board of Grafana as data: its panels, and its queries as Grafana and the SQLite plugin would run them."""
import json
import re
import sqlite3
import time

from fleet import DASHBOARDS


def boards():
    return {file.stem: Board(json.loads(file.read_text())) for file in sorted((DASHBOARDS / "grafana").glob("*.json"))}


class Board:
    def __init__(self, data):
        self.data, self.title = data, data["title"]
        # A row that is closed holds its panels.
        self.placed = [one for panel in data["panels"] for one in [panel, *panel.get("panels", [])]]
        self.panels = [panel for panel in self.placed if panel["type"] != "row"]
        self.rows = [panel for panel in data["panels"] if panel["type"] == "row"]
        self.variables = data["templating"]["list"]

    def targets(self, kind):
        """Panel and query; an annotation is shown on all panels."""
        found = [(panel["title"], target) for panel in self.panels for target in panel["targets"]]
        found += [(one["name"], one["target"]) for one in self.data["annotations"]["list"] if "target" in one]
        return [(title, target) for title, target in found if target["datasource"]["type"] == kind]

    def prometheus_targets(self):
        return [target for _, target in self.targets("prometheus")]

    def prometheus_queries(self, values):
        for title, target in self.targets("prometheus"):
            yield title, re.sub(r"\$(\w+)", lambda match: values[match[1]], target["expr"])

    def label_values(self):
        for variable in self.variables:
            if variable["type"] == "query":
                metric, label = re.fullmatch(r"label_values\((.*), (\w+)\)", variable["query"]["query"]).groups()
                yield variable["name"], metric, label

    def sql_rows(self, database, values, days=60):
        """Panel, columns, rows, and the columns that are to be times."""
        now = int(time.time() * 1000)
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
            for title, target in self.targets("frser-sqlite-datasource"):
                text = target["rawQueryText"].replace("$__from", str(now - days * 86_400_000)).replace("$__to", str(now + 60_000))
                text = re.sub(r"\$\{(\w+):sqlstring\}", lambda match: quoted(values[match[1]]), text)
                cursor = connection.execute(text)
                yield title, [column[0] for column in cursor.description], cursor.fetchall(), target["timeColumns"]


def quoted(texts):
    """As Grafana's format `sqlstring` writes them."""
    return ",".join("'" + text.replace("'", "''") + "'" for text in texts)
