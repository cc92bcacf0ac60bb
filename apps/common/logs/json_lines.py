"""Log lines as JSON, one object a line (LOG_FORMAT=json), for whatever gathers them.

An exception is told by its kind and by the lines of code that it came through. Its text is left out: it may quote what a partner
sent, and travellers with that.
"""

import json
import logging
from datetime import UTC, datetime
from pathlib import Path
from traceback import extract_tb
from typing import Any

import orjson
from celery import current_task

from apps.common import tracing
from apps.common.logs import context

ROOT = f"{Path(__file__).resolve().parents[3]}/"
DEEPEST = 30
"""Lines of code that are told of an exception, the last ones."""


class JsonLines(logging.Formatter):
    """`time` (UTC), `level`, `logger`, `message`; the ids of the call or task; for a call's own line, what is known of it."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")[:-6] + "Z",
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **context.ids(),
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
    """Which task of a worker this is, if it is one."""
    return {"task": current_task.name, "taskId": str(current_task.request.id)} if current_task else {}
