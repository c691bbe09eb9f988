"""SQLite databases for services that expect a database server."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Table, event
from sqlalchemy.engine import Engine


def new_database(path: Path) -> str:
    """Create a database in WAL mode, in which readers do not wait for the writer, and return its SQLAlchemy URL."""
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
    connection.close()
    return f"sqlite:///{path}?timeout=30"


def never_give_an_id_twice() -> None:
    """Make SQLite never reuse the id of a deleted row; call this before the tables are created.

    Heat deletes old rows late and by id. SQLite would give the id of a deleted last row to the next row, which Heat
    would delete instead, so that its stack would never complete.
    """

    @event.listens_for(Table, "before_create")
    def count_on(table: Table, *_: object, **__: object) -> None:
        table.dialect_options["sqlite"]["autoincrement"] = True


def let_writers_queue() -> None:
    """Make each transaction take the write lock when it begins; call this after the tables are created.

    The creation of the tables needs two connections at once. If two threads first read and then wrote, SQLite would
    fail in one of them with "database is locked", regardless of the timeout.
    """

    @event.listens_for(Engine, "before_cursor_execute", retval=True)
    def lock_first(_: Any, __: Any, statement: str, parameters: Any, *___: Any) -> tuple[str, Any]:
        return ("BEGIN IMMEDIATE" if statement == "BEGIN" else statement), parameters
