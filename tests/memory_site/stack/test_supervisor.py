"""Who dies is started again; who dies again and again is given up with a sentence."""

import logging
import os
import signal
import time
from pathlib import Path

import pytest

from memory_site.stack.errors import StackFailed
from memory_site.stack.service import Service
from memory_site.stack.spawn import Command
from memory_site.stack.supervisor import DEATHS, Supervisor
from memory_site.stack.valkey import Valkey


class Failing(Service):
    """A service that ends as soon as it begins."""

    name = "failing"
    starts = 0

    @property
    def address(self) -> str:
        return ""

    def command(self) -> Command:
        self.starts += 1
        return Command(argv=["/bin/sh", "-c", "exit 3"], env={}, cwd=self.root, log=self.log)

    def answers(self) -> bool:
        return False


def test_a_killed_service_is_started_again_and_that_is_said(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    valkey = Valkey(folder)
    supervisor = Supervisor([valkey])
    address = valkey.start()
    try:
        assert valkey.process is not None
        os.kill(valkey.process.pid, signal.SIGKILL)
        valkey.process.wait()
        with caplog.at_level(logging.WARNING):
            supervisor.check()
            supervisor.check()
        valkey.wait()
        assert valkey.address == address
        assert [record.getMessage() for record in caplog.records] == [
            f"valkey ended by itself (killed by SIGKILL); starting it again, see {valkey.log}"
        ]
    finally:
        valkey.stop()


def test_a_service_that_we_stopped_stays_stopped(folder: Path) -> None:
    valkey = Valkey(folder)
    valkey.start()
    supervisor = Supervisor([valkey])
    valkey.stop()
    supervisor.check()
    supervisor.check()
    assert not valkey.is_running


def test_it_gives_up_after_several_quick_deaths_and_waits_longer_each_time(folder: Path) -> None:
    service = Failing(folder)
    supervisor = Supervisor([service], wait_s=0.2)
    service.launch()
    began = time.monotonic()
    with pytest.raises(StackFailed, match=f"failing ended {DEATHS} times within a minute, last exit code 3"):
        while time.monotonic() - began < 60:
            supervisor.check()
            time.sleep(0.02)
    assert service.starts == DEATHS
    assert time.monotonic() - began >= 0.2 + 0.4 + 0.8
    service.stop()


def test_a_service_that_ends_while_starting_is_a_sentence_with_its_log(folder: Path) -> None:
    service = Failing(folder)
    with pytest.raises(StackFailed, match=r"failing ended while starting \(exit code 3\): see .*failing.log"):
        service.start()
    service.stop()
