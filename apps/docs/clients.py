"""The packages of our client libraries, served from clients/packages. `make clients-build` builds them."""

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_safe

PACKAGES = Path(settings.BASE_DIR) / "clients" / "packages"
CONTENT_TYPES = {".tgz": "application/gzip", ".gz": "application/gzip"}
"""By suffix. A wheel is a zip file."""


@dataclass(frozen=True, slots=True)
class Package:
    language: str
    version: str
    file: str
    size: int
    """In bytes."""
    sha256: str
    composer: dict[str, Any] | None = None
    """The composer.json of a package for PHP."""

    @property
    def url(self) -> str:
        return f"{settings.PUBLIC_BASE_URL}/docs/clients/{self.file}"

    @property
    def kilobytes(self) -> int:
        return round(self.size / 1000)


@cache
def packages() -> tuple[Package, ...]:
    """Each version of each language, newest first."""
    manifest = json.loads((PACKAGES / "manifest.json").read_text(encoding="utf-8"))
    return tuple(Package(**each) for each in manifest["packages"])


def newest(language: str) -> Package | None:
    """None for a language that has no package."""
    return next((each for each in packages() if each.language == language), None)


def install(language: str) -> str:
    """The command that installs the newest package, as a shell takes it. Empty for a language that has no package."""
    package = newest(language)
    return COMMANDS[language].format(url=package.url) if package else ""


COMMANDS = {
    "Python": "pip install {url}",
    "TypeScript": "npm install {url}",
    "PHP": "curl -s {url} | tar xz",
}


def _found(name: str) -> Package:
    package = next((each for each in packages() if each.file == name), None)
    if package is None:
        raise Http404
    return package


def _etag(_request: HttpRequest, name: str) -> str:
    return f'"{_found(name).sha256}"'


@require_safe
@cache_control(public=True, no_cache=True)  # before its release, a version may be built again
@condition(etag_func=_etag)
def download(_request: HttpRequest, name: str) -> HttpResponse:
    package = _found(name)
    content = (PACKAGES / package.file).read_bytes()
    kind = CONTENT_TYPES.get(Path(name).suffix, "application/zip")
    response = HttpResponse(content, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{package.file}"'
    return response


@require_safe
def composer(_request: HttpRequest) -> JsonResponse:
    """The PHP client as a repository of Composer's, whose address is `<base>/docs/clients`."""
    found: dict[str, dict[str, Any]] = {}
    for package in packages():
        if package.composer:
            dist = {"type": "tar", "url": package.url, "shasum": _sha1(package.file)}
            released = {**package.composer, "version": package.version, "dist": dist}
            found.setdefault(package.composer["name"], {})[package.version] = released
    return JsonResponse({"packages": found})


@cache
def _sha1(file: str) -> str:
    """The only checksum that Composer knows."""
    return hashlib.sha1((PACKAGES / file).read_bytes(), usedforsecurity=False).hexdigest()
