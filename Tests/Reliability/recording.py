"""The system calls of a service, recorded by strace, and what a disk would hold if the power went at any of them.

A disk holds for sure only what was written before a sync began that has ended. Anything later may be there or not, in any
combination of sectors: `Disk.image` makes the worst case (nothing of it) and random cases.
"""
import os
import re

CALLS = "openat,write,pwrite64,pwritev,writev,ftruncate,fallocate,unlink,fsync,fdatasync,sendto,sendmsg"
SECTOR = 512
WHOLE = re.compile(r"^(\d+) +(\w+)\((.*)\) += (-?\d+)")
BEGUN = re.compile(r"^(\d+) +(\w+)\((.*?) *<unfinished \.\.\.>")
ENDED = re.compile(r"^(\d+) +<\.\.\. (\w+) resumed>.*\) += (-?\d+)")
FILE = re.compile(r"^\d+<(.*?)>(?=[,)]|$)")
PEER = re.compile(r"->.*:(\d+)\]")
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')


def strace(log):
    """The words to put before a command, so that its calls are recorded with all their data."""
    return ["strace", "-f", "-yy", "-xx", "-s", "200000", "-e", f"trace={CALLS}", "-e", "signal=none", "-o", str(log)]


def plain(text):
    r"""`\x41\x42` as bytes; strace writes every string so."""
    return bytes.fromhex(text.replace("\\x", ""))


class Disk:
    """Follows the calls on the files of one directory."""

    def __init__(self, directory):
        self.directory = str(directory)
        database = self.directory + "/uptake.db"
        # SQLite makes the -shm file anew after a loss of power.
        self.files = {self.directory, database, database + "-wal"}
        self.durable = {}       # what each file holds for sure
        self.pending = {}       # what was done to it since, in order, and whether each call has returned
        self.listed, self.unlisted = set(), set()
        self.under_way = {}
        self.syncs = {}

    def calls(self, log):
        """Yields `("sent", peer, bytes)` for everything handed to a socket, when the call begins."""
        with open(log, errors="replace") as lines:
            for line in lines:
                if match := WHOLE.match(line):
                    thread, name, arguments, result = match.groups()
                    yield from self.begin(thread, name, arguments)
                    self.end(thread, int(result))
                elif match := BEGUN.match(line):
                    yield from self.begin(*match.groups())
                elif match := ENDED.match(line):
                    self.end(match[1], int(match[3]))

    def begin(self, thread, name, arguments):
        self.under_way[thread] = None
        file = FILE.match(arguments)
        path = decoded(file[1]) if file else ""
        if peer := PEER.search(path):
            yield "sent", int(peer[1]), b"".join(plain(text) for text in STRING.findall(arguments))
            return
        if name in ("openat", "unlink"):
            path = plain(STRING.search(arguments)[1]).decode(errors="replace")
            if path in self.files and (name == "unlink" or "O_CREAT" in arguments):
                self.under_way[thread] = (name, path)
            return
        if path not in self.files:
            return
        if name in ("fsync", "fdatasync"):
            done = [call for call in self.pending.get(path, []) if call["returned"]]
            self.under_way[thread] = ("sync", path, done, set(self.unlisted))
            return
        call = {"path": path, "returned": False, "what": self.change(name, arguments)}
        if call["what"]:
            self.pending.setdefault(path, []).append(call)
            self.under_way[thread] = ("change", call)

    def change(self, name, arguments):
        if name == "pwrite64":
            return "write", int(arguments.rsplit(",", 1)[1]), plain(STRING.findall(arguments)[-1])
        if name == "ftruncate":
            return "truncate", int(arguments.rsplit(",", 1)[1]), b""
        if name == "write":
            raise AssertionError(f"a plain write to the database's files: {arguments[:100]}")
        return None

    def end(self, thread, result):
        call = self.under_way.pop(thread, None)
        if not call or result < 0:
            return
        if call[0] == "openat":
            if call[1] not in self.listed:
                self.unlisted.add(call[1])
        elif call[0] == "unlink":
            self.listed.discard(call[1])
            self.unlisted.discard(call[1])
        elif call[0] == "change":
            call[1]["returned"] = True
        elif call[0] == "sync":
            _, path, done, names = call
            if path == self.directory:
                self.listed |= names
                self.unlisted -= names
            content = self.durable.setdefault(path, bytearray())
            for change in done:
                apply(content, change["what"])
            self.pending[path] = [change for change in self.pending.get(path, []) if not any(change is one for one in done)]

    def image(self, target, chance=None):
        """Writes what the disk holds: nothing unsynced, or with a random source, an arbitrary part of it."""
        for path in self.listed | (self.unlisted if chance and chance.random() < 0.5 else set()):
            content = bytearray(self.durable.get(path, b""))
            for change in self.pending.get(path, []) if chance else []:
                apply(content, torn(change["what"], chance))
            with open(os.path.join(target, os.path.basename(path)), "wb") as file:
                file.write(content)


def decoded(path):
    return plain(path).decode(errors="replace") if path.startswith("\\x") else path


def apply(content, change):
    kind, offset, data = change
    if kind == "truncate":
        del content[offset:]
        content.extend(bytes(offset - len(content)))
    elif data:
        content.extend(bytes(max(0, offset - len(content))))
        content[offset:offset + len(data)] = data


def torn(change, chance):
    """All, nothing, or some sectors of a write."""
    kind, offset, data = change
    fate = chance.random()
    if fate < 0.4:
        return change
    if fate < 0.7 or kind == "truncate":
        return "write", offset, b""
    first = chance.randrange(0, len(data) + 1, SECTOR)
    return "write", offset + first, data[first:first + SECTOR * chance.randrange(1, 64)]
