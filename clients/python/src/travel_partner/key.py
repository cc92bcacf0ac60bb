"""The API key, which is shown to nothing but the service."""

from __future__ import annotations

from collections.abc import Generator

import httpx


class ApiKey(httpx.Auth):
    """Raises ValueError if it cannot be a key, without showing it."""

    def __init__(self, secret: str) -> None:
        secret = secret.strip()
        if not secret or not secret.isascii() or not secret.isprintable() or " " in secret:
            raise ValueError("The API key is empty, or has characters that no key has.")
        self._secret = secret

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers["Authorization"] = f"Bearer {self._secret}"
        yield request

    def __repr__(self) -> str:
        return "<API key>"
