"""ClickHouse as it is installed: one server, or two shards of two replicas with ZooKeeper, all on loopback.

Everything lies in a temporary folder and ends with the `with` block."""

import atexit
import contextlib
import functools
import glob
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

PASSWORD = "s3cret"
# Seconds that a server may take to start, on a machine that others keep busy.
START = 180


def free_ports(count):
    """Some that nothing listens on, and that the system gives to no connection: thousands are open beside this while a server is down."""
    chance, found = random.SystemRandom(), set()
    while len(found) < count:
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", chance.randrange(12_000, 32_000)))
            found.add(probe.getsockname()[1])
    return list(found)


class Server:
    """One ClickHouse server."""

    def __init__(self, folder, name, shard, replica, keeper):
        self.folder = os.path.join(folder, name)
        self.shard, self.replica, self.keeper = shard, replica, keeper
        self.http, self.tcp, self.interserver = free_ports(3)
        self.process = None
        # Further settings.
        self.more = ""

    @property
    def place(self):
        return f"127.0.0.1:{self.http}"

    def configure(self, shards):
        os.makedirs(os.path.join(self.folder, "data/tmp"))
        with open(os.path.join(self.folder, "config.xml"), "w", encoding="utf-8") as file:
            file.write(self.config(shards))
        with open(os.path.join(self.folder, "users.xml"), "w", encoding="utf-8") as file:
            file.write(USERS)

    def config(self, shards):
        data = os.path.join(self.folder, "data")
        parts = [
            f"<logger><level>warning</level><log>{self.folder}/log</log><errorlog>{self.folder}/errors</errorlog></logger>",
            "<listen_host>127.0.0.1</listen_host>",
            f"<http_port>{self.http}</http_port><tcp_port>{self.tcp}</tcp_port>",
            f"<interserver_http_port>{self.interserver}</interserver_http_port>",
            "<interserver_http_host>127.0.0.1</interserver_http_host>",
            f"<path>{data}/</path><tmp_path>{data}/tmp/</tmp_path>",
            f"<user_files_path>{data}/files/</user_files_path><format_schema_path>{data}/formats/</format_schema_path>",
            "<users_config>users.xml</users_config><default_profile>default</default_profile>",
            "<default_database>default</default_database><timezone>UTC</timezone>",
            self.more, "<mark_cache_size>67108864</mark_cache_size><uncompressed_cache_size>0</uncompressed_cache_size>",
            "<max_concurrent_queries>32</max_concurrent_queries><mlock_executable>false</mlock_executable>",
        ]
        if self.keeper:
            parts += [
                "<remote_servers><main>" + "".join(map(shard_xml, shards)) + "</main></remote_servers>",
                f"<macros><shard>{self.shard}</shard><replica>{self.replica}</replica></macros>",
                f"<zookeeper><node><host>127.0.0.1</host><port>{self.keeper}</port></node>"
                # Of a server that was killed the keeper hears soon.
                "<session_timeout_ms>3000</session_timeout_ms></zookeeper>",
                "<distributed_ddl><path>/clickhouse/task_queue/ddl</path></distributed_ddl>",
            ]
        return "<yandex>" + "\n".join(parts) + "</yandex>\n"

    def start(self):
        self.process = subprocess.Popen(
            ["/usr/sbin/clickhouse-server", f"--config-file={self.folder}/config.xml"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + START
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise RuntimeError(f"clickhouse-server ended: {self.errors()}")
            with contextlib.suppress(OSError):
                if self.get("/ping").strip() == "Ok.":
                    return
            time.sleep(0.05)
        raise RuntimeError("clickhouse-server does not answer")

    def kill(self):
        if self.process:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def errors(self):
        try:
            with open(os.path.join(self.folder, "errors"), encoding="utf-8", errors="replace") as file:
                return file.read()[-2000:]
        except OSError:
            return "no log"

    def get(self, path):
        with urllib.request.urlopen(f"http://{self.place}{path}", timeout=5) as answer:
            return answer.read().decode()

    def query(self, sql, user="uptake", password=PASSWORD, **settings):
        words = urllib.parse.urlencode({"wait_end_of_query": 1, **settings})
        request = urllib.request.Request(
            f"http://{self.place}/?{words}", data=sql.encode(),
            headers={"X-ClickHouse-User": user, "X-ClickHouse-Key": password})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()) from None


def shard_xml(servers):
    replicas = "".join(
        f"<replica><host>127.0.0.1</host><port>{one.tcp}</port><user>uptake</user><password>{PASSWORD}</password></replica>"
        for one in servers)
    return f"<shard><internal_replication>true</internal_replication>{replicas}</shard>"


USERS = f"""<yandex>
<profiles>
<default><max_memory_usage>2000000000</max_memory_usage><max_threads>2</max_threads><connect_timeout>2</connect_timeout>
<connections_with_failover_max_tries>1</connections_with_failover_max_tries></default>
<readonly><readonly>2</readonly></readonly>
<strict><readonly>1</readonly></strict>
<shipper><allow_ddl>0</allow_ddl></shipper>
<slow><max_block_size>50</max_block_size><max_threads>1</max_threads></slow>
</profiles>
<users>
<uptake><password>{PASSWORD}</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></uptake>
<shipper><password>{PASSWORD}</password><networks><ip>127.0.0.1</ip></networks><profile>shipper</profile><quota>default</quota></shipper>
<strict><password>look</password><networks><ip>127.0.0.1</ip></networks><profile>strict</profile><quota>default</quota></strict>
<slow><password>look</password><networks><ip>127.0.0.1</ip></networks><profile>slow</profile><quota>default</quota></slow>
<reader><password>look</password><networks><ip>127.0.0.1</ip></networks><profile>readonly</profile><quota>default</quota></reader>
</users>
<quotas><default></default></quotas>
</yandex>
"""

JARS = ("zookeeper,zookeeper-jute,slf4j-api,slf4j-simple,netty-all,netty-common,netty-buffer,netty-transport,netty-handler,"
        "netty-codec,netty-resolver,metrics-core,commons-cli,commons-io,snappy-java,jetty9-server,jetty9-servlet,log4j-1.2,"
        "jackson-core,jackson-databind,jackson-annotations")


class Keeper:
    """ZooKeeper alone."""

    def __init__(self, folder):
        self.folder = os.path.join(folder, "keeper")
        self.port, = free_ports(1)
        self.process = None

    def stop(self):
        self.process.kill()
        self.process.wait()

    def start(self):
        os.makedirs(self.folder, exist_ok=True)
        with open(os.path.join(self.folder, "zoo.cfg"), "w", encoding="utf-8") as file:
            file.write(
                f"tickTime=500\ndataDir={self.folder}\nclientPort={self.port}\nclientPortAddress=127.0.0.1\n"
                "admin.enableServer=false\n4lw.commands.whitelist=ruok\n")
        jars = [path for name in JARS.split(",") for path in glob.glob(f"/usr/share/java/{name}.jar")]
        self.process = subprocess.Popen(
            ["java", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", ":".join(jars),
             "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
             "org.apache.zookeeper.server.quorum.QuorumPeerMain", f"{self.folder}/zoo.cfg"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + START
        while time.monotonic() < end:
            if self.answers():
                return
            if self.process.poll() is not None:
                raise RuntimeError("ZooKeeper ended")
            time.sleep(0.05)
        raise RuntimeError("ZooKeeper does not answer")

    def answers(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as one:
                one.sendall(b"ruok")
                return one.recv(16) == b"imok"
        except OSError:
            return False


@functools.cache
def shared():
    """Two shards of two replicas for all tests of a run."""
    for _ in range(3):
        try:
            cluster = Cluster().__enter__()
        except RuntimeError as error:
            # Another program took a port in between.
            print(error)
            continue
        atexit.register(cluster.__exit__)
        return cluster
    raise RuntimeError("no cluster starts")


class Cluster:
    """`shards` of `replicas`; with one of one there is no keeper, and no cluster."""

    def __init__(self, shards=2, replicas=2):
        self.folder = tempfile.mkdtemp(prefix="uptake-warehouse-")
        self.keeper = Keeper(self.folder) if shards * replicas > 1 else None
        port = self.keeper.port if self.keeper else None
        self.shards = [
            [Server(self.folder, f"s{shard}r{replica}", shard, replica, port) for replica in range(replicas)]
            for shard in range(shards)]
        self.servers = [one for shard in self.shards for one in shard]

    def __enter__(self):
        try:
            if self.keeper:
                self.keeper.start()
            for one in self.servers:
                one.configure(self.shards)
            for one in self.servers:
                one.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for one in self.servers:
            one.kill()
        if self.keeper and self.keeper.process:
            self.keeper.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def settle(self):
        """After servers or their keeper were gone: what is made on the cluster is made on each server. Now and then one that lost its
        session with the keeper never looks at what it is to do, until it is started anew."""
        for _ in range(5):
            lazy = self.lazy()
            if not lazy:
                return
            print(f"started anew, as what is made on the cluster is not made there: {', '.join(one.place for one in lazy)}")
            for one in lazy:
                one.kill()
                one.start()
        raise RuntimeError("some server does not do what it is told through its keeper")

    def lazy(self):
        """The servers that make no database of those that are made on the cluster for a minute."""
        end, lazy = time.monotonic() + 60, self.servers
        while lazy and time.monotonic() < end:
            name = f"probe{time.monotonic_ns()}"
            # Who asks may have found its way back to the keeper later than others.
            with contextlib.suppress(RuntimeError):
                lazy[0].query(f"CREATE DATABASE {name} ON CLUSTER main", distributed_ddl_task_timeout=10)
            made = f"SELECT count() FROM system.databases WHERE name = '{name}'"
            lazy = [one for one in lazy if one.query(made).strip() != "1"]
            time.sleep(0.2)
        return lazy

    def address(self, database="uptake", user="uptake", servers=None):
        """Of all servers, where none are named."""
        first, *rest = [one.place for one in servers or self.servers]
        return f"clickhouse://{user}@{first}/{database}" + "".join("," + place for place in rest)
