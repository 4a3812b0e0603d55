"""Everything Mneme needs, started in order and ended together."""

import json
import logging
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from memory_site.stack.applications import Beat, Embedding, Sealer, Web, Worker
from memory_site.stack.elasticsearch import Elasticsearch
from memory_site.stack.environment import DATABASE, environment, keep_secrets
from memory_site.stack.errors import CommandFailed, StackFailed
from memory_site.stack.files import Lock, private_folder, read_json, write_private
from memory_site.stack.guardian import CHECKOUT
from memory_site.stack.logins import LOGINS, provision
from memory_site.stack.postgres import Postgres
from memory_site.stack.reindex import reindex
from memory_site.stack.service import Service
from memory_site.stack.spawn import Command, run
from memory_site.stack.valkey import Valkey

logger = logging.getLogger(__name__)

Name = Literal["postgres", "valkey", "elasticsearch", "web", "worker", "embedding", "beat", "sealer"]
Search = Literal["postgres", "elasticsearch"]

ALL: Sequence[Name] = ("postgres", "valkey", "web", "worker", "embedding", "beat", "sealer")
NOT_RUNNING = "no Mneme runs in {root}: start one with `make run` first, and wait until it is up"
IN_USE = "Mneme already runs in {root}: end that one with Ctrl-C first"


class Stack:
    """A running Mneme; a context manager that ends all of it, and removes its data unless told to keep it.

    search: the search engine.
    web_workers, worker_processes: how many processes serve requests, and work in the background.
    services: which of our own to start; Postgres always, and Elasticsearch when search names it.
    keep: whether root stays when the stack ends, for the next one to go on with.
    extra: environment variables for our processes, such as EMBEDDER.
    """

    def __init__(
        self,
        root: Path,
        *,
        search: Search = "postgres",
        web_workers: int = 2,
        worker_processes: int = 2,
        services: Sequence[Name] = ALL,
        keep: bool = False,
        extra: Mapping[str, str] | None = None,
    ) -> None:
        self.root = root.resolve()
        self.logs = self.root / "log"
        self._search = search
        self._keep = keep
        self._extra = extra or {}
        self._lock: Lock | None = None
        self.postgres = Postgres(self.root / "postgres", logs=self.logs)
        self.valkey = Valkey(self.root / "valkey", logs=self.logs)
        self.elasticsearch = Elasticsearch(self.root / "elasticsearch" / "node", logs=self.logs)
        self.web = Web(self.root / "web", self._for("mneme_web"), workers=web_workers, logs=self.logs)
        self.worker = Worker(
            self.root / "worker", self._for("mneme_worker"), processes=worker_processes, logs=self.logs
        )
        self.embedding = Embedding(
            self.root / "embedding", self._for("mneme_worker"), processes=worker_processes, logs=self.logs
        )
        self.beat = Beat(self.root / "beat", self._for("mneme_worker"), logs=self.logs)
        self.sealer = Sealer(self.root / "sealer", self._for("mneme_worker"), logs=self.logs)
        wanted = {"postgres", *services, *(("elasticsearch",) if search == "elasticsearch" else ())}
        ours = (self.web, self.worker, self.embedding, self.beat, self.sealer)
        in_order = (self.postgres, self.valkey, self.elasticsearch, *ours)
        self.services: Mapping[str, Service] = {one.name: one for one in in_order if one.name in wanted}

    @classmethod
    def running(cls, root: Path) -> "Stack":
        """Return the stack that another process runs in root: good for its addresses and logins, not to start it.

        Raises StackFailed, when none runs there, or it has not come so far yet.
        """
        found = read_json(root / "running.json") if Lock.is_held(root) else {}
        if not found:
            raise StackFailed(NOT_RUNNING.format(root=root))
        stack = cls(root, search=found["search"], keep=True)
        for service in (stack.postgres, stack.valkey, stack.elasticsearch, stack.web):
            service.port = found["ports"][service.name]
        return stack

    def __enter__(self) -> Self:
        try:
            self.up()
        except BaseException:
            self.down()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.down()

    @property
    def url(self) -> str:
        """The URL of the web server, without a path."""
        return self.web.address

    @property
    def superuser_dsn(self) -> str:
        """The connection string of Postgres' superuser."""
        return self.postgres.address

    @property
    def database_urls(self) -> dict[str, str]:
        """Login -> DATABASE_URL."""
        at = f"127.0.0.1:{self.postgres.port}/{DATABASE}"
        passwords = keep_secrets(self.root / "secrets.json").logins
        return {login: f"postgresql://{login}:{passwords[login]}@{at}" for login in LOGINS}

    @property
    def redis_url(self) -> str:
        """The URL of Valkey; where nobody listens, if it is not among the services."""
        return self.valkey.address if "valkey" in self.services else "redis://127.0.0.1:1/0"

    @property
    def search_url(self) -> str:
        """The URL of Elasticsearch; empty when Postgres searches, under each login's own DATABASE_URL."""
        return self.elasticsearch.address if self._search == "elasticsearch" else ""

    def up(self) -> None:
        """Start everything, in the order in which one needs the other. Idempotent.

        Raises StackFailed, when something did not start or another process has the same root.
        """
        self._lock = self._lock or Lock(self.root, refusal=IN_USE.format(root=self.root))
        (self.root / "running.json").unlink(missing_ok=True)  # of one that was killed
        self.root.chmod(0o711)  # the servers' account passes through; what is private is so folder by folder
        private_folder(self.logs)  # whoever writes there gets the open file
        if left := Service.end_all_leftovers(self.services.values()):
            logger.info("Ended what an earlier run had left behind: %s", ", ".join(left))
        self._launch("elasticsearch")  # the slowest: it starts while the others do
        self._launch("valkey")
        self.postgres.start()
        passwords = keep_secrets(self.root / "secrets.json").logins
        provision(self.superuser_dsn, database=DATABASE, passwords=passwords)
        self._manage_as_owner("migrate")
        for service in self.services.values():
            if service in (self.valkey, self.elasticsearch):
                service.wait()
        self._manage_as_owner("setup_search")
        self._reindex()
        for service in self.services.values():
            service.launch()
        for service in self.services.values():
            service.wait()
        known = (self.postgres, self.valkey, self.elasticsearch, self.web)
        found = {"search": self._search, "ports": {service.name: service.port for service in known}}
        write_private(self.root / "running.json", json.dumps(found))

    def down(self) -> None:
        """Stop everything in good order; or, unless the data is to be kept, kill everything and remove it."""
        if self._lock is None:
            return  # the folder is another one's, or all is done
        (self.root / "running.json").unlink(missing_ok=True)
        if self._keep:
            Service.stop_all(self.services.values())
        else:
            self._remove()
        self._lock.release()
        self._lock = None

    def start(self, service: Name) -> None:
        """Start one service and wait until it answers."""
        self.services[service].start()

    def stop(self, service: Name) -> None:
        """Stop one service in good order."""
        self.services[service].stop()

    def kill(self, service: Name) -> None:
        """Kill all processes of one service at once."""
        self.services[service].kill()

    def create_tenant(self, slug: str, *options: str) -> str:
        """Create a tenant and return its key; options: of the command.

        Raises CommandFailed, when there is one already.
        """
        return self.manage("create_tenant", slug, *options).split()[-1]

    def environment_of(self, login: str) -> Mapping[str, str]:
        """Return the environment of a process under a login of Postgres."""
        return self._for(login)()

    def manage(self, *arguments: str, login: str = "mneme_worker") -> str:
        """Run a management command under a login of Postgres and return what it printed.

        Raises CommandFailed, when it ended with an error.
        """
        log = self.logs / "manage.log"
        argv = [sys.executable, "manage.py", *arguments]
        try:
            return run(Command(argv=argv, env=self.environment_of(login), cwd=CHECKOUT, log=log))
        except CommandFailed as failed:
            reason = str(failed).strip().removeprefix("CommandError: ")
            message = f"manage.py {arguments[0]} failed: {reason} (see {log})"
            raise CommandFailed(message, exit_code=failed.exit_code, stderr=failed.stderr) from None

    def _for(self, login: str) -> Callable[[], Mapping[str, str]]:
        """Return what gives the environment of a login's processes, once all addresses are known."""

        def build() -> Mapping[str, str]:
            database_url = self.database_urls[login]
            return environment(
                keep_secrets(self.root / "secrets.json"),
                database_url=database_url,
                redis_url=self.redis_url,
                search_url=self.search_url or database_url,
                extra={
                    "ERASURES_FILE": str(self.root / "erasures.jsonl"),
                    "AUDIT_HEADS_FILE": str(self.root / "audit-heads.jsonl"),
                    "RECEIPTS_FOLDER": str(self.root / "receipts"),
                    **self._extra,
                },
            )

        return build

    def _manage_as_owner(self, name: str) -> None:
        self.manage(name, "--verbosity", "0", login="mneme_owner")

    def _reindex(self) -> None:
        engine = f"elasticsearch {self.elasticsearch.node.life()}" if self.search_url else "postgres"
        memory = self.root / "indexed"
        if touched := reindex(lambda: self.manage("reindex"), engine=engine, memory=memory):
            logger.info("Another search engine than last time: %d memories are brought to it", touched)

    def _launch(self, name: Name) -> None:
        if service := self.services.get(name):
            service.launch()

    def _remove(self) -> None:
        for service in reversed(list(self.services.values())):
            service.remove()
        shutil.rmtree(self.root, ignore_errors=True)
