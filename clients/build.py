"""Builds the packages of our clients into clients/packages, from which the service serves them at /docs/clients.

python -m clients.build            build all and write manifest.json
python -m clients.build --version  give the clients the version of the API, for `make clients-generate`
python -m clients.build --check    fail if the packages are older than what they are made of

Built packages are committed, so that the service needs neither npm nor Java to serve them. Packages of earlier versions stay:
lock files of partners name their address and their hash.
"""

import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from clients.php import generator as php_generator
from clients.python.generator.__main__ import live_document

ROOT = Path(__file__).resolve().parents[1]
CLIENTS = ROOT / "clients"
PACKAGES = CLIENTS / "packages"
MANIFEST = PACKAGES / "manifest.json"
PYTHON, TYPESCRIPT, PHP = CLIENTS / "python", CLIENTS / "typescript", CLIENTS / "php"
GENERATOR = ROOT / "var" / "generator" / "bin" / "openapi-generator-cli"
EPOCH = "1577836800"
"""The time of every file in a package, so that the same sources give the same bytes."""

SOURCES = (
    "clients/build.py",
    "apps/docs/client_methods.py",
    "clients/python/pyproject.toml",
    "clients/python/README.md",
    "clients/python/LICENSE",
    "clients/python/generator/*.py",
    "clients/python/src/travel_partner/**/*",
    "clients/php/*.*",
    "clients/php/LICENSE",
    "clients/php/src/*",
    "clients/php/templates/*",
    "requirements/clients.lock",
    "clients/typescript/package-lock.json",
    "clients/typescript/package.json",
    "clients/typescript/tsconfig.json",
    "clients/typescript/README.md",
    "clients/typescript/LICENSE",
    "clients/typescript/scripts/*",
    "clients/typescript/src/**/*",
)


def main(*options: str) -> None:
    if "--version" in options:
        give_version()
    elif "--check" in options:
        check()
    else:
        build()


def build() -> None:
    """The packages of this version, and the manifest of all that there are."""
    version = api_version()
    source = source_hash()
    PACKAGES.mkdir(exist_ok=True)
    built = [describe(language, version, pack()) for language, pack in PACKERS.items()]
    earlier = [
        each
        for each in manifest().get("packages", [])
        if each["version"] != version and (PACKAGES / each["file"]).exists()
    ]
    MANIFEST.write_text(json.dumps({"source": source, "packages": [*built, *earlier]}, indent=2) + "\n")
    for each in built:
        print(f"{each['size']:>8,} {each['file']}")  # noqa: T201


def describe(language: str, version: str, path: Path) -> dict[str, Any]:
    """What the service shows of a package. `composer`: what Composer reads of it, for PHP."""
    content = path.read_bytes()
    found = {"language": language, "version": version, "file": path.name, "size": len(content)}
    found["sha256"] = hashlib.sha256(content).hexdigest()
    if language == "PHP":
        found["composer"] = json.loads((PHP / "composer.json").read_text())
    return found


def manifest() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(MANIFEST.read_text()) if MANIFEST.exists() else {}
    return found


def check() -> None:
    if manifest().get("source") != source_hash():
        sys.exit(
            "The packages of clients/packages are older than what they are made of: "
            "make clients-generate clients-build"
        )


def source_hash() -> str:
    """Of the OpenAPI document, but for the addresses that serve it, and of every file that the packages are made of."""
    document = {name: part for name, part in live_document().items() if name != "servers"}
    found = hashlib.sha256(json.dumps(document, sort_keys=True).encode())
    for path in sorted(source_files()):
        found.update(f"\0{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return found.hexdigest()


def source_files() -> Iterator[Path]:
    for pattern in SOURCES:
        for path in ROOT.glob(pattern):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path


# --- One package a language -----------------------------------------------------------------------------------------


def pack_python() -> Path:
    """The wheel. Made from a copy, because setuptools leaves files next to the sources."""
    with tempfile.TemporaryDirectory() as place:
        copy, made = Path(place, "python"), Path(place, "made")
        shutil.copytree(PYTHON, copy, ignore=shutil.ignore_patterns("*.egg-info", "__pycache__", "build"))
        run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(made), "."], copy)
        [wheel] = made.iterdir()
        return kept(wheel)


def pack_typescript() -> Path:
    """What `npm pack` makes: it writes one time for all files by itself."""
    run(["npm", "run", "--silent", "build"], TYPESCRIPT)
    with tempfile.TemporaryDirectory() as place:
        run(["npm", "pack", "--silent", "--pack-destination", place], TYPESCRIPT)
        [tarball] = Path(place).iterdir()
        return kept(tarball)


def pack_php() -> Path:
    """What is written by hand, with the resources and models that are generated; in the folder `travel-partner`."""
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place, "travel-partner")
        shutil.copytree(PHP, copy, ignore=shutil.ignore_patterns("templates", "generator.py", "__pycache__"))
        php_generator.generate(live_document(), GENERATOR, copy / "src")
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
            for path in sorted(each for each in copy.rglob("*") if each.is_file()):
                entry = tarfile.TarInfo(str(path.relative_to(place)))
                entry.size, entry.mtime = path.stat().st_size, int(EPOCH)
                tar.addfile(entry, io.BytesIO(path.read_bytes()))
        target = PACKAGES / f"travel-partner-php-{api_version()}.tar.gz"
        target.write_bytes(gzip.compress(packed.getvalue(), 9, mtime=0))
        return target


PACKERS = {"Python": pack_python, "TypeScript": pack_typescript, "PHP": pack_php}


def kept(path: Path) -> Path:
    target = PACKAGES / path.name
    target.write_bytes(path.read_bytes())
    return target


def run(command: list[str], place: Path) -> None:
    environment = {**os.environ, "SOURCE_DATE_EPOCH": EPOCH}
    done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True)  # noqa: S603 - our own words
    if done.returncode:
        sys.exit(done.stdout + done.stderr)


# --- The version ----------------------------------------------------------------------------------------------------


def api_version() -> str:
    """That of the OpenAPI document, which is also that of the clients."""
    return str(live_document()["info"]["version"])


def give_version() -> None:
    version = api_version()
    rewrite(PYTHON / "src/travel_partner/_version.py", r'(__version__ = ")[^"]+', version)
    rewrite(TYPESCRIPT / "src/version.ts", r'(VERSION = ")[^"]+', version)
    for name in ("package.json", "package-lock.json"):
        rewrite(TYPESCRIPT / name, r'("name": "travel-partner",\s+"version": ")[^"]+', version)
    rewrite(PHP / "src/Client.php", r"(VERSION = ')[^']+", version)
    for client in (PYTHON, TYPESCRIPT, PHP):
        rewrite(client / "README.md", r"(travel[_-]partner-(?:php-)?)\d+\.\d+\.\d+", version)


def rewrite(path: Path, pattern: str, version: str) -> None:
    """The version after each place that `pattern` finds."""
    text, count = re.subn(pattern, rf"\g<1>{version}", path.read_text())
    if not count:
        sys.exit(f"{path} names no version")
    path.write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
