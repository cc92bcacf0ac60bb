"""A request as WSGI hands it to Django (PEP 3333)."""

import sys
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes

from config.web.reading import Request

ALWAYS: dict[str, Any] = {
    "SCRIPT_NAME": "",
    "wsgi.errors": sys.stderr,
    "wsgi.multiprocess": True,
    "wsgi.multithread": True,
    "wsgi.run_once": False,
    "wsgi.url_scheme": "http",
    "wsgi.version": (1, 0),
}

_names: dict[str, str] = {"content-type": "CONTENT_TYPE", "content-length": "CONTENT_LENGTH"}
MAX_NAMES = 1_000


def environ_of(request: Request, peer: str, server: tuple[str, int]) -> dict[str, Any]:
    """Whatever is not the request's is left out: the process's own environment does not belong here."""
    path = request.path
    body = b"".join(request.body)
    environ = {
        **ALWAYS,
        "REQUEST_METHOD": request.method,
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1") if "%" in path else path,
        "QUERY_STRING": request.query,
        "SERVER_PROTOCOL": f"HTTP/{request.version}",
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "REMOTE_ADDR": peer,
        "wsgi.input": BytesIO(body),
    }
    for name, value in request.headers.items():
        environ[_names.get(name) or _environ_name(name)] = value
    if not request.unread and (body or "transfer-encoding" in request.headers):
        environ["CONTENT_LENGTH"] = str(len(body))
    return environ


def _environ_name(name: str) -> str:
    found = "HTTP_" + name.upper().replace("-", "_")
    if len(_names) < MAX_NAMES:
        _names[name] = found
    return found
