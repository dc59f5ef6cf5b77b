"""The system calls of a command on the files of a directory, names among them, and what a disk would hold if the power went.

Of a file the disk holds for sure what was written before a sync of that file began; of a name, where it led when a sync of its
folder began. Anything later may be there or not: a rename as a whole, bytes in any combination of sectors.
"""
import os
import pathlib
import subprocess

from recording import BEGUN, ENDED, FILE, STRING, WHOLE, apply, decoded, plain, torn

CALLS = ("openat,close,write,pwrite64,ftruncate,rename,renameat,renameat2,link,unlink,unlinkat,mkdir,mkdirat,fsync,fdatasync")
# SQLite makes it anew, and writes it through memory.
SHARED = "-shm"


def record(log, command):
    traced = ["strace", "-f", "-yy", "-xx", "-s", "50000000", "-e", f"trace={CALLS}", "-e", "signal=none", "-o", str(log)]
    return subprocess.run([*traced, *map(str, command)], capture_output=True, text=True)


class Node:
    """A file, whatever its name."""

    def __init__(self, content=b""):
        self.durable, self.pending, self.length = bytearray(content), [], len(content)

    def change(self, kind, offset, data):
        self.pending.append((kind, offset, data))
        self.length = offset if kind == "truncate" else max(self.length, offset + len(data))

    def content(self, chance):
        content = bytearray(self.durable)
        for change in self.pending if chance else []:
            apply(content, torn(change, chance))
        return content


class Names:
    """What is in a directory, as programs see it and as the disk holds it."""

    def __init__(self, directory, forgets_folders=False):
        self.directory = str(directory)
        self.nodes, self.offsets, self.under_way = {}, {}, {}
        for path in pathlib.Path(directory).rglob("*"):
            if path.is_file() and not path.name.endswith(SHARED):
                self.nodes[str(path)] = Node(path.read_bytes())
        self.durable = dict(self.nodes)
        # Changes of names since the last sync of their folder: what each name leads to then.
        self.pending = []
        # Of the test of this test: a disk whose folders nobody syncs.
        self.forgets_folders = forgets_folders

    def moments(self, log):
        """Yields after each call that has to do with names, and after each sync."""
        with open(log, errors="replace") as lines:
            for line in lines:
                if match := WHOLE.match(line):
                    self.begin(match[1], match[2], match[3])
                    done = self.end(match[1], match[2], int(match[4]))
                elif match := BEGUN.match(line):
                    self.begin(*match.groups())
                    continue
                elif match := ENDED.match(line):
                    done = self.end(match[1], match[2], int(match[3]))
                else:
                    continue
                if done:
                    yield done

    def begin(self, thread, name, arguments):
        call = {"arguments": arguments}
        if name in ("fsync", "fdatasync"):
            path = self.path(arguments)
            node = self.nodes.get(path)
            call["syncs"] = (path, node, len(node.pending) if node else 0, len(self.pending))
        self.under_way[thread] = call

    def path(self, arguments):
        file = FILE.match(arguments)
        return decoded(file[1]) if file else ""

    def strings(self, arguments):
        return [plain(text) for text in STRING.findall(arguments)]

    def is_ours(self, path):
        return path.startswith(self.directory + "/") and not path.endswith(SHARED)

    def end(self, thread, name, result):
        """Answers what happened, where it is of interest."""
        call = self.under_way.pop(thread, None)
        if not call or result < 0:
            return None
        arguments = call["arguments"]
        if "syncs" in call:
            return self.synced(*call["syncs"])
        if name in ("write", "pwrite64", "ftruncate"):
            return self.wrote(name, arguments, result)
        if name == "openat":
            return self.opened(self.strings(arguments)[-1].decode(), arguments, result)
        paths = [text.decode() for text in self.strings(arguments)] if name not in ("close",) else []
        if name.startswith(("rename", "link")) and self.is_ours(paths[-1]):
            node = self.nodes[paths[0]]
            self.lead({paths[-1]: node} if name == "link" else {paths[0]: None, paths[-1]: node})
            return f"{name} to {os.path.basename(paths[-1])}"
        if name.startswith("unlink") and self.is_ours(paths[-1]):
            self.lead({paths[-1]: None})
            return f"removal of {os.path.basename(paths[-1])}"
        return None

    def lead(self, change):
        self.pending.append(change)
        for path, node in change.items():
            self.nodes.pop(path, None)
            if node:
                self.nodes[path] = node

    def opened(self, path, arguments, descriptor):
        if not self.is_ours(path) or "O_DIRECTORY" in arguments or os.path.isdir(path):
            return None
        if path not in self.nodes:
            if "O_CREAT" not in arguments:
                return None
            self.lead({path: Node()})
        node = self.nodes[path]
        if "O_TRUNC" in arguments and node.length:
            node.change("truncate", 0, b"")
        self.offsets[descriptor] = "end" if "O_APPEND" in arguments else 0
        return None

    def wrote(self, name, arguments, result):
        path = self.path(arguments)
        node = self.nodes.get(path)
        if not node:
            return None
        if name == "ftruncate":
            node.change("truncate", int(arguments.rsplit(",", 1)[1]), b"")
        elif name == "pwrite64":
            node.change("write", int(arguments.rsplit(",", 1)[1]), self.strings(arguments)[-1][:result])
        else:
            descriptor = int(arguments.split("<", 1)[0])
            at = self.offsets.get(descriptor, 0)
            node.change("write", node.length if at == "end" else at, self.strings(arguments)[-1][:result])
            if at != "end":
                self.offsets[descriptor] = at + result
        return None

    def synced(self, path, node, changes, names):
        if node:
            for change in node.pending[:changes]:
                apply(node.durable, change)
            del node.pending[:changes]
            return f"sync of {os.path.basename(path)}"
        if self.forgets_folders or not (path + "/").startswith(self.directory + "/"):
            return None
        kept = []
        for place, change in enumerate(self.pending):
            if place < names and all(os.path.dirname(name) == path for name in change):
                self.apply(self.durable, change)
            else:
                kept.append(change)
        self.pending = kept
        return f"sync of the folder {os.path.basename(path)}"

    @staticmethod
    def apply(names, change):
        for path, node in change.items():
            names.pop(path, None)
            if node:
                names[path] = node

    def image(self, target, chance=None):
        """Writes what the disk holds: nothing unsynced, or with a random source, an arbitrary part of it."""
        names = dict(self.durable)
        temper = chance.randrange(3) if chance else 0
        upto = chance.randrange(len(self.pending) + 1) if chance else 0
        for place, change in enumerate(self.pending if chance else []):
            # As a journal does, up to some moment; or each by itself.
            if place < upto if temper else chance.random() < 0.5:
                self.apply(names, change)
        for path, node in names.items():
            place = pathlib.Path(target) / os.path.relpath(path, self.directory)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(node.content(chance))
            place.chmod(0o600)
