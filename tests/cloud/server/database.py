"""SQLite for services that were written for a database server."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Table, event
from sqlalchemy.engine import Engine


def new_database(path: Path) -> str:
    """Make a file in which readers do not wait for the writer, and answer with the URL for SQLAlchemy."""
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
    connection.close()
    return f"sqlite:///{path}?timeout=30"


def never_give_an_id_twice() -> None:
    """Call it before the tables are made.

    Heat deletes old rows late and by id. SQLite would give the id of a deleted last row to the next one, which then is
    deleted instead, and its stack never gets ready.
    """

    @event.listens_for(Table, "before_create")
    def count_on(table: Table, *_: object, **__: object) -> None:
        table.dialect_options["sqlite"]["autoincrement"] = True


def let_writers_queue() -> None:
    """Call it after the tables are made, which takes two connections at once.

    From then on a transaction takes the lock for writing when it begins. If two threads had both read and now wanted to
    write, SQLite would end one of them with "database is locked", however long they were ready to wait.
    """

    @event.listens_for(Engine, "before_cursor_execute", retval=True)
    def lock_first(_: Any, __: Any, statement: str, parameters: Any, *___: Any) -> tuple[str, Any]:
        return ("BEGIN IMMEDIATE" if statement == "BEGIN" else statement), parameters
