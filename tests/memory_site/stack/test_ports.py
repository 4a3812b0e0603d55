"""Choosing ports."""

import socket
import threading
from pathlib import Path

import pytest

from memory_site.stack import ports
from memory_site.stack.errors import StackFailed
from memory_site.stack.ports import FIRST, LAST, choose_port, is_free


def listening() -> socket.socket:
    server = socket.socket()
    server.bind(("127.0.0.1", 0))
    server.listen()
    return server


def test_a_port_is_remembered_but_only_taken_again_when_it_is_free(tmp_path: Path) -> None:
    memory = tmp_path / "port"
    first = choose_port(None, memory=memory)
    assert FIRST <= first < LAST
    assert choose_port(None, memory=memory) == first
    with listening() as taken:
        memory.write_text(str(taken.getsockname()[1]))
        other = choose_port(None, memory=memory)
        assert other != taken.getsockname()[1]
    assert memory.read_text() == str(other)


def test_a_port_that_others_know_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "PATIENCE_S", 0.2)
    with listening() as taken:
        port = taken.getsockname()[1]
        assert not is_free(port)
        with pytest.raises(StackFailed, match=f"port {port} was taken by another program"):
            choose_port(port, memory=tmp_path / "port")


def test_a_port_that_a_dying_server_still_holds_is_waited_for(tmp_path: Path) -> None:
    taken = listening()
    port = taken.getsockname()[1]
    threading.Timer(0.3, taken.close).start()
    assert choose_port(port, memory=tmp_path / "port") == port
