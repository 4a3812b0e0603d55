"""Settings that would fail later are refused at the start, by name."""

import os
import subprocess
import sys
from typing import Any

import pytest

from memory_site.database import database
from memory_site.stack.guardian import CHECKOUT
from tests.plugin import database_url


def started(code: str = "import memory_site.settings", **settings: str) -> subprocess.CompletedProcess[str]:
    """Run code with settings in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=CHECKOUT,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("days", ["-1", "0", "3", "366"])
def test_a_credential_must_outlive_its_renewal(days: str) -> None:
    ended = started(ENGINE_CREDENTIAL_DAYS=days)
    assert ended.returncode
    assert "ENGINE_CREDENTIAL_DAYS: must be 4 to 365" in ended.stderr
    assert started(ENGINE_CREDENTIAL_DAYS="4").returncode == 0


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (
            "postgresql://ad%40:p%2Fw%3F@db.example:6432/mne%6De%20x?sslmode=verify-full&sslrootcert=%2Fa%20b",
            {"NAME": "mneme x", "USER": "ad@", "PASSWORD": "p/w?", "HOST": "db.example", "PORT": "6432"},
        ),
        ("postgres://u@h/d", {"NAME": "d", "USER": "u", "PASSWORD": "", "HOST": "h", "PORT": "5432"}),
        ("postgresql://u@/d?host=/run/postgresql", {"HOST": "/run/postgresql"}),
    ],
)
def test_a_database_url_is_read_as_libpq_reads_it(url: str, expected: dict[str, Any]) -> None:
    read = database(url, pool_size=0)
    assert {key: read[key] for key in expected} == expected
    assert {key: value for key, value in read["OPTIONS"].items() if key.startswith("ssl")} == (
        {"sslmode": "verify-full", "sslrootcert": "/a b"} if "ssl" in url else {}
    )


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("mysql://u:hidden@h/d", "must begin with postgresql://"),
        ("postgresql://u:hidden@h/d?sslmoda=require", 'invalid URI query parameter: "sslmoda"'),
        ("postgresql://u:hidden%zz@h/d", "libpq cannot read it"),
    ],
)
def test_a_database_url_with_what_libpq_does_not_know_is_refused_and_not_shown(url: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as refused:
        database(url, pool_size=0)
    assert "hidden" not in str(refused.value)


def test_the_parameters_of_the_url_reach_the_server(django_db_setup: None) -> None:
    """sslmode=require at a server without TLS must fail: without the parameter it would connect in the clear."""
    code = "import django; django.setup(); from django.db import connection; connection.ensure_connection()"
    for parameter, reason in (("", ""), ("?sslmode=require", "does not support SSL"), ("?gssencmode=disable", "")):
        ended = started(code, DATABASE_URL=database_url("mneme_web") + parameter)
        assert (ended.returncode != 0) == bool(reason)
        assert reason in ended.stderr


@pytest.mark.parametrize("name", ["SECRET_KEY", "ENGINE_KEYS", "DATABASE_URL"])
def test_a_missing_setting_is_one_sentence(name: str) -> None:
    for command in ("issue_key", "check"):
        code = (
            f"import sys, runpy; sys.argv = ['manage.py', '{command}', 'acme'][:{3 if command == 'issue_key' else 2}]"
        )
        ended = started(f"{code}; runpy.run_path('manage.py', run_name='__main__')", **{name: ""})
        assert ended.returncode == 1
        assert ended.stderr.startswith(f"manage.py: {name} is not set")
        assert ".env.example" in ended.stderr
        assert len(ended.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [("ELASTICSEARCH_SEMANTIC", "e5"), ("ELASTICSEARCH_FUSION", "native"), ("RERANKER", "elasticsearch:jina")],
)
def test_what_only_elasticsearch_has_is_refused_with_another_engine(name: str, value: str) -> None:
    url = {"SEARCH_URL": database_url("mneme_web")}
    ended = started(**url, **{name: value})
    assert ended.returncode
    assert f"{name}: asks for something of Elasticsearch's" in ended.stderr
    assert started(SEARCH_URL="http://127.0.0.1:1", **{name: value}).returncode == 0
    assert "must be portable or native" in started(ELASTICSEARCH_FUSION="linear").stderr
