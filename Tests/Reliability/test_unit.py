"""The unit under which systemd runs the service: it is sound, hardened, and forbids nothing that the service does."""
import pathlib
import re
import shlex
import shutil
import subprocess
import unittest

from fleet import Fleet
from service import PROGRAM, Client, Service, scratch

UNIT = pathlib.Path(__file__).parents[2] / "packaging" / "uptake.service"


def values(name):
    return [line.split("=", 1)[1] for line in UNIT.read_text().splitlines() if line.startswith(name + "=")]


def analyze(*words):
    return subprocess.run(["systemd-analyze", "--no-pager", *words], capture_output=True, text=True)


def calls(group):
    """The system calls of one of systemd's groups, and of the groups within it."""
    names = set()
    for word in re.findall(r"^    ([@\w-]+)$", analyze("syscall-filter", group).stdout, re.MULTILINE):
        names |= calls(word) if word.startswith("@") else {word}
    return names


@unittest.skipUnless(shutil.which("systemd-analyze"), "systemd is not installed")
class Unit(unittest.TestCase):
    def installed(self):
        """The unit as `make install` writes it, for the program under test."""
        unit = scratch() / UNIT.name
        unit.write_text(UNIT.read_text().replace("/usr/local/bin/uptake", PROGRAM))
        return unit

    def test_systemd_finds_nothing_wrong_and_little_exposed(self):
        found = analyze("--man=no", "verify", str(self.installed()))
        self.assertEqual((found.returncode, found.stderr), (0, ""))
        judged = analyze("security", "--offline=true", "--threshold=20", str(self.installed()))
        self.assertEqual(judged.returncode, 0, judged.stdout[-200:])

    def test_a_crash_leaves_no_memory_on_the_disk(self):
        self.assertEqual(values("LimitCORE"), ["0"])

    def test_a_proxy_of_its_group_reaches_a_socket_in_its_folder(self):
        self.assertEqual((values("RuntimeDirectory"), values("RuntimeDirectoryMode")), (["uptake"], ["0750"]))
        path = scratch() / "uptake.sock"
        process = subprocess.Popen(
            [PROGRAM, "serve", "--db", str(scratch() / "uptake.db"), "--listen", f"unix:{path}"], umask=0o077,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.assertIn(b"listens on", process.stdout.readline())
        self.assertEqual(path.stat().st_mode & 0o777, 0o660)
        process.terminate()
        process.communicate(timeout=60)

    def test_its_command_starts_a_service_on_its_own_directory(self):
        state = scratch()
        directory = state / values("StateDirectory")[0]
        directory.mkdir()
        environment = dict(line.replace("%S", str(state)).split("=", 1) for line in values("Environment"))
        process = subprocess.Popen(
            [PROGRAM, *shlex.split(values("ExecStart")[0])[1:]], cwd=values("WorkingDirectory")[0].replace("%S", str(state)),
            env={**environment, "UPTAKE_LISTEN": "127.0.0.1:0"}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.assertIn(b"listens on", process.stdout.readline())
        process.terminate()
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.assertEqual([path.name for path in state.rglob("*.db")], ["uptake.db"])

    def test_the_service_makes_no_system_call_that_is_forbidden(self):
        log, directory = scratch() / "calls", scratch()
        options = ["--fold-after", "100ms", "--reports", str(directory / "site"), "--report-every", "1s"]
        with Service(*options, directory=directory, prefix=["strace", "-f", "-c", "-U", "name", "-o", str(log)]) as service:
            fleet, client = Fleet(), Client(service.port)
            for _ in range(20):
                self.assertEqual(fleet.send(client).status, 200)
            self.assertEqual(client.ask("GET", "/v1/answers/releases?app=com.example.load").status, 200)
            self.assertEqual(service.stop(), 0)
        used = set(re.findall(r"^(\w+)$", log.read_text(), re.MULTILINE)) - {"syscall", "total", "name"}
        self.assertIn("fdatasync", used)
        self.assertEqual(used - calls("@system-service"), set())
        # SQLite hands files to the database's owner, but only where it runs as root, as this test may.
        self.assertEqual(used & calls("@privileged") - {"fchown"}, set())


if __name__ == "__main__":
    unittest.main()
