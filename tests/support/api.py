"""Requests as a partner sends them, through Django's test client."""

import json
import random
from dataclasses import dataclass, field
from ipaddress import IPv6Address
from typing import Any

from django.test import Client

from apps.common.ids import new_id
from tests.support.declared import refuse_undeclared
from tests.support.documented import is_file, refuse_undocumented


@dataclass
class Reply:
    """An answer: status, JSON body, headers."""

    status: int
    body: Any
    headers: Any
    content: bytes

    @property
    def error(self) -> dict[str, Any]:
        return self.body["error"]

    @property
    def error_type(self) -> str | None:
        return self.body["error"]["type"] if isinstance(self.body, dict) and "error" in self.body else None


@dataclass
class Api:
    """A partner with a key: `api.post("/v1/flights/searches", {...})`.

    Every answer is compared with the OpenAPI document and with its serializer.
    """

    secret: str
    client: Client = field(default_factory=lambda: Client(raise_request_exception=False))
    address: str = field(default_factory=lambda: str(IPv6Address(random.getrandbits(128))))
    """Where the calls come from: nobody else's, so that failed authentications are counted for each test alone."""

    def get(self, path: str, **headers: str) -> Reply:
        return self.send("GET", path, **headers)

    def post(self, path: str, body: object | None = None, key: str | None = None, **headers: str) -> Reply:
        """A POST with an Idempotency-Key of its own unless `key` names one."""
        headers = {"Idempotency-Key": key or new_id("idem"), **headers}
        return self.send("POST", path, body, **headers)

    def patch(self, path: str, body: object, **headers: str) -> Reply:
        return self.send("PATCH", path, body, **headers)

    def delete(self, path: str, **headers: str) -> Reply:
        return self.send("DELETE", path, **headers)

    def send(self, method: str, path: str, body: object | None = None, **headers: str) -> Reply:
        sent = {
            "Authorization": f"Bearer {self.secret}",
            **{n.replace("_", "-"): v for n, v in headers.items()},
        }
        raw = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        content_type = sent.pop("Content-Type", "application/json")
        response = self.client.generic(
            method, path, raw, content_type=content_type, headers=sent, REMOTE_ADDR=self.address
        )
        content = response.getvalue()  # of a file that is sent line by line as well
        media = response.headers.get("Content-Type", "").partition(";")[0]
        is_json = media == "application/json"
        parsed = json.loads(content) if content and is_json else None
        if method != "HEAD" and not is_file(method, path, response.status_code, media):
            refuse_undocumented(method, path, response.status_code, parsed)
            refuse_undeclared(method, path, response.status_code, parsed)
        return Reply(response.status_code, parsed, response.headers, content)
