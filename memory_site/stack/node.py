"""The configuration and the data of one Elasticsearch node, and the programs that serve it."""

import functools
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from memory_site.stack import distribution
from memory_site.stack.account import give, home_for, service_account
from memory_site.stack.files import password_in
from memory_site.stack.guardian import CHECKOUT
from memory_site.stack.java import find_java
from memory_site.stack.ports import choose_port
from memory_site.stack.service import plain_environment
from memory_site.stack.spawn import Command, run

PROGRAMS = CHECKOUT / "var" / "elasticsearch"
"""Where the programs are, shared by all nodes of this checkout."""

SETTINGS = """\
cluster.name: mneme-local
node.name: one
path.data: {home}/data
path.logs: {home}/logs
discovery.type: single-node
network.host: 127.0.0.1
http.port: {port}
transport.port: {transport}
xpack.license.self_generated.type: trial
xpack.security.enabled: true
xpack.security.autoconfiguration.enabled: false
xpack.security.enrollment.enabled: false
xpack.security.http.ssl.enabled: false
xpack.security.transport.ssl.enabled: false
cluster.routing.allocation.disk.threshold_enabled: false
"""

JAVA_OPTIONS = ("-Xms512m", "-Xmx512m", "-XX:-AlwaysPreTouch")
UNWANTED = ("-Xlog:gc", "-XX:+HeapDump", "-XX:ErrorFile")
"""Java options that would write into the programs' folder, which the account may not."""

LOGGING = """\
status = error
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = [%d{ISO8601}][%-5p][%-25c{1.}] %m%n
rootLogger.level = info
rootLogger.appenderRef.console.ref = console
"""


class Node:
    """root holds the superuser's password; home, which the account can reach, everything else."""

    def __init__(self, root: Path, *, log: Path) -> None:
        self.root = root
        self._log = log
        self.account = service_account()
        self.home = home_for(root, self.account).resolve()

    @functools.cached_property
    def java(self) -> Path:
        """The home of Java."""
        return find_java()

    @functools.cached_property
    def programs(self) -> Path:
        """The home of the programs, which are fetched the first time."""
        return distribution.install(home_for(PROGRAMS, self.account).resolve(), log=self._log.with_name("maven.log"))

    def password(self) -> str:
        """Return the password of the user `elastic`."""
        return password_in(self.root / "password")

    def life(self) -> str:
        """Return a name of this life of the data; after a wipe it is another."""
        return password_in(self.root / "life")

    def configure(self, port: int, *, java_options: Sequence[str] = ()) -> None:
        """Write the configuration for a port."""
        config, shipped = self.home / "config", self.programs / "config"
        writable = (config, self.home / "data", self.home / "logs", self.home / "tmp")
        for folder in (config / "jvm.options.d", *writable):
            folder.mkdir(parents=True, exist_ok=True)
        for name in ("role_mapping.yml", "roles.yml", "users", "users_roles"):
            shutil.copy(shipped / name, config / name)
        options = (shipped / "jvm.options").read_text(encoding="utf-8").splitlines(keepends=True)
        kept = [option for option in options if not option.startswith(UNWANTED)]
        transport = choose_port(None, memory=self.root / "transport.port")
        for path, text in {
            "jvm.options": "".join(kept),
            "jvm.options.d/local.options": "\n".join([*JAVA_OPTIONS, *java_options, ""]),
            "log4j2.properties": LOGGING,
            "elasticsearch.yml": SETTINGS.format(home=self.home, port=port, transport=transport),
        }.items():
            (config / path).write_text(text, encoding="utf-8")
        for folder in writable:
            give(folder, self.account)
        if not (config / "elasticsearch.keystore").exists():
            self._keep_password(config)

    def command(self, *java_options: str | Path, grace_s: float = 10.0) -> Command:
        """Return a command that runs one of the node's Java programs."""
        return Command(
            argv=[self.java / "bin" / "java", "-Xms4m", "-Xmx64m", "-XX:+UseSerialGC", *java_options],
            env=self._environment(),
            cwd=self.programs,
            log=self._log,
            account=self.account,
            grace_s=grace_s,
            wave=1,
        )

    def wipe(self) -> None:
        """Remove the data, and with it the licence."""
        (self.root / "life").unlink(missing_ok=True)
        for folder in ("data", "logs", "tmp"):
            shutil.rmtree(self.home / folder, ignore_errors=True)

    def remove(self) -> None:
        """Remove everything but the programs."""
        if self.home != self.root:
            shutil.rmtree(self.home.parent, ignore_errors=True)
        shutil.rmtree(self.root, ignore_errors=True)

    def _keep_password(self, config: Path) -> None:
        """Put the password where Elasticsearch reads it the first time it starts."""
        draft = config / "password.draft"
        draft.unlink(missing_ok=True)
        draft.touch(mode=0o600)
        draft.write_text(self.password(), encoding="utf-8")
        give(draft, self.account)
        tool = self.command(
            "-Dcli.name=keystore",
            f"-Dcli.script={self.programs}/bin/elasticsearch-keystore",
            "-Dcli.libs=lib/tools/keystore-cli",
            f"-Des.path.home={self.programs}",
            f"-Des.path.conf={config}",
            "-Des.distribution.type=zip",
            "-Des.java.type=ES_JAVA_HOME",
            "-cp",
            f"{self.programs}/lib/*:{self.programs}/lib/cli-launcher/*",
            "org.elasticsearch.launcher.CliToolLauncher",
        )
        add = ("add", "--stdin", "--force", "bootstrap.password")
        feed = ("/bin/sh", "-c", 'file=$1; shift; exec "$@" <"$file"', "sh", draft)
        run(replace(tool, argv=[*feed, *tool.argv, *add]))
        draft.unlink()

    def _environment(self) -> dict[str, str]:
        return {
            **plain_environment(),
            "HOME": str(self.home / "tmp"),
            "ES_HOME": str(self.programs),
            "ES_PATH_CONF": str(self.home / "config"),
            "ES_TMPDIR": str(self.home / "tmp"),
            "ES_DISTRIBUTION_TYPE": "zip",
            "ES_JAVA_HOME": str(self.java),
            "JAVA": str(self.java / "bin" / "java"),
            "JAVA_TYPE": "ES_JAVA_HOME",
        }
