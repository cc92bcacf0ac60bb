"""Log lines as JSON, one object a line (LOG_FORMAT=json), with the ids of the call or task that they are written for.

An exception is logged by its kind and by the lines of code that it came through. Its text is left out: it may quote what a
partner sent, and travellers with that.
"""

import json
import logging
import threading
from datetime import UTC, datetime
from pathlib import Path
from traceback import extract_tb
from typing import Any, Protocol

import orjson
from celery import current_task

from apps.common import tracing

ROOT = f"{Path(__file__).resolve().parents[2]}/"
DEEPEST = 30  # lines of code that are logged of an exception, the last ones


Ids = dict[str, str]


class Work(Protocol):
    """Something that a thread works on, such as a call."""

    def log_ids(self) -> Ids:
        """Its ids, by the names that log lines give them. Read for each line: a call learns its account on its way."""
        ...


class Known:
    __slots__ = ("_ids",)

    def __init__(self, ids: Ids) -> None:
        self._ids = ids

    def log_ids(self) -> Ids:
        return self._ids


_here = threading.local()


def enter(work: Work | None) -> None:
    _here.work = work


def ids() -> Ids:
    work: Work | None = getattr(_here, "work", None)
    return work.log_ids() if work is not None else {}


def handed_on() -> Known:
    """The same work for another thread. It keeps the ids, and nothing else of a call that may end before it."""
    return Known(ids())


class JsonLines(logging.Formatter):
    """`time` (UTC), `level`, `logger`, `message`; the ids of the call or task; for a call's own line, what is known of it."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")[:-6] + "Z",
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **ids(),
            **tracing.log_ids(),
            **_task(),
            **getattr(record, "call", {}),
        }
        if record.exc_info and record.exc_info[0] is not None:
            line["exception"] = record.exc_info[0].__name__
            line["stack"] = [
                f"{one.filename.removeprefix(ROOT)}:{one.lineno} {one.name}"
                for one in extract_tb(record.exc_info[2])[-DEEPEST:]
            ]
        try:
            return orjson.dumps(line, default=str).decode()
        except TypeError:  # half of a surrogate pair, or a number beyond 64 bits
            return json.dumps(line, default=str)


def _task() -> dict[str, str]:
    return {"task": current_task.name, "taskId": str(current_task.request.id)} if current_task else {}
