"""Connections of the process's own login, the roles it takes on, and Postgres' errors as the backends' three."""

import select
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg_pool import ConnectionPool, NullConnectionPool, PoolTimeout

from backends.errors import Refused, Rejected, Unavailable

POOL_SIZE = 10
"""Where nobody says otherwise."""
POOL_TIMEOUT_S = 5.0
CONNECT_TIMEOUT_S = 5

_NOT_SET_UP = (
    psycopg.errors.UndefinedTable,
    psycopg.errors.UndefinedColumn,
    psycopg.errors.UndefinedFunction,
    psycopg.errors.InvalidSchemaName,
    psycopg.errors.ReadOnlySqlTransaction,
)
"""No document's fault."""

Row = tuple[Any, ...]
Connection = psycopg.Connection[Row]


class Connections:
    """A pool that opens on first use: after a fork, never before it.

    size: connections it keeps at most; 0 keeps none and makes one for each use.
    """

    def __init__(self, dsn: str, *, size: int = POOL_SIZE) -> None:
        self._dsn = dsn
        self._size = size
        self._lock = threading.Lock()
        self._pool: ConnectionPool[Connection] | None = None

    @contextmanager
    def transaction(self, role: str | None = None) -> Iterator[Connection]:
        """Yield a connection in a transaction, as a role or as the login itself. Raises the backends' three."""
        with translated(), self._opened().connection() as connection, connection.transaction():
            if role is not None:
                connection.execute("SELECT set_config('role', %s, true)", (role,))
            yield connection

    @contextmanager
    def alone(self) -> Iterator[Connection]:
        """Yield a connection outside the pool, in a transaction. Raises the backends' three."""
        with translated(), psycopg.connect(self._dsn, connect_timeout=CONNECT_TIMEOUT_S) as connection:
            yield connection

    def close(self) -> None:
        """Close the pool; the next use opens a new one."""
        with self._lock:
            if self._pool is not None:
                self._pool.close()
                self._pool = None

    def _opened(self) -> ConnectionPool[Connection]:
        with self._lock:
            if self._pool is None:
                kind = ConnectionPool if self._size else NullConnectionPool
                self._pool = kind(
                    self._dsn,
                    min_size=0,
                    max_size=self._size,
                    timeout=POOL_TIMEOUT_S,
                    check=refuse_dead,
                    open=True,
                    kwargs={"autocommit": True, "connect_timeout": CONNECT_TIMEOUT_S},
                )
            return self._pool


def refuse_dead(connection: Connection) -> None:
    """Raise psycopg.OperationalError for an idle connection that the server has ended, as one that restarted has.

    Until then it sends nothing to who asks nothing, so only where something waits to be read a round trip is spent.
    """
    waiting = select.poll()
    waiting.register(connection.fileno(), select.POLLIN)
    if waiting.poll(0):
        ConnectionPool.check_connection(connection)


@contextmanager
def translated() -> Iterator[None]:
    """Turn psycopg's errors into the backends' three."""
    try:
        yield
    except psycopg.errors.ProgramLimitExceeded as error:  # a row that fits no page: no retry will help it
        raise Rejected(f"Postgres cannot store this ({type(error).__name__}, {error.sqlstate})") from error
    except _NOT_SET_UP as error:
        raise Unavailable(
            "Postgres has not what the engine needs yet, or takes no writes; run setup_search"
        ) from error
    except (psycopg.OperationalError, psycopg.InterfaceError, PoolTimeout) as error:
        raise Unavailable(f"Postgres did not answer ({type(error).__name__})") from error
    except psycopg.errors.InsufficientPrivilege as error:
        raise Refused("the login has no right to this") from error
    except psycopg.Error as error:
        raise Rejected(f"Postgres refused the statement ({type(error).__name__}, {error.sqlstate})") from error
