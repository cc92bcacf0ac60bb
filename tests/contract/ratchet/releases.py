"""The documents that were released: one file a release, written once, with its digest. Nothing of them is ever changed.

`python -m tests.contract.ratchet.releases 1.2.0` adds the live document as a release.
"""

import gzip
import hashlib
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

RELEASES = Path(__file__).parents[1] / "releases"
DIGESTS = "SHA256SUMS"
VERSION = re.compile(r"1\.(0|[1-9]\d*)\.(0|[1-9]\d*)")


NAMES_STAY_FROM = (2, 0)
"""1.2.0 is the first release with clients of our own, whose classes have the names of the components."""


class Refused(Exception):
    """It is no release."""


def released(folder: Path = RELEASES) -> dict[str, dict[str, Any]]:
    """All documents by version, the oldest first."""
    files = sorted(folder.glob("*.json"), key=lambda file: _order(file.stem))
    return {file.stem: json.loads(file.read_text()) for file in files}


def live() -> dict[str, Any]:
    """The document as a client reads it."""
    from apps.gateway.openapi import document

    found: dict[str, Any] = json.loads(json.dumps(document()))
    return found


def broken(document: Mapping[str, Any], folder: Path = RELEASES) -> dict[str, list[str]]:
    """What `document` breaks, by the release whose clients it breaks."""
    from tests.contract.ratchet.documents import breaking_changes

    found = {
        version: breaking_changes(old, document)
        + (renamed(old, document) if _order(version) >= NAMES_STAY_FROM else [])
        for version, old in released(folder).items()
    }
    return {version: lines for version, lines in found.items() if lines}


def renamed(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """One line for each component of `old` that `new` does not have. The wire does not know its name, but a client does."""
    there = new["components"]["schemas"]
    return [
        f"component {name}: renamed or removed" for name in old["components"]["schemas"] if name not in there
    ]


def release(version: str, document: Mapping[str, Any], folder: Path = RELEASES) -> Path:
    """Write it. Raises Refused where the version is none, is not the newest, or where a client of a release would break."""
    if not VERSION.fullmatch(version):
        raise Refused(f"{version} is no version of v1: 1.2.0 is one")
    newest = max(map(_order, released(folder)), default=(0, 0))
    if _order(version) <= newest:
        raise Refused(f"{version} is not above 1.{newest[0]}.{newest[1]}; what was released stays as it is")
    if document["info"]["version"] != version:
        raise Refused(f"The document says that it is {document['info']['version']}")
    if lines := broken(document, folder):
        raise Refused(
            "\n".join(f"breaks {known}: {line}" for known, found in lines.items() for line in found)
        )
    file = folder / f"{version}.json"
    with file.open("x") as new:
        new.write(json.dumps(document, separators=(",", ":"), sort_keys=True, ensure_ascii=False) + "\n")
    with (folder / DIGESTS).open("a") as digests:
        digests.write(f"{digest(file)}  {file.name}\n")
    return file


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _order(version: str) -> tuple[int, int]:
    _, minor, patch = version.split(".")
    return int(minor), int(patch)


def main(version: str) -> None:
    import django

    from config.embedded import prepare_environment

    prepare_environment()
    django.setup()
    from apps.docs.machines import RELEASED

    try:
        file = release(version, live())
        served = RELEASED / f"{file.name}.gz"
        served.write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0))
        print(f"{file} and {served} written")
    except Refused as refused:
        sys.exit(str(refused))


if __name__ == "__main__":
    main(*sys.argv[1:])
