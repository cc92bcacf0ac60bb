"""A ZIP that is sent while it is written: one file at a time is in memory, and none on disk."""

import hashlib
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

MANIFEST = "manifest.json"
File = tuple[str, Iterable[bytes]]
"""A name, and the parts of its contents."""


class Outlet:
    """What ZipFile writes to. It cannot seek, so each file's sizes follow after it."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    def write(self, part: bytes) -> int:
        self.parts.append(bytes(part))
        return len(part)

    def flush(self) -> None:
        """Nothing waits here."""

    def taken(self) -> bytes:
        parts, self.parts = self.parts, []
        return b"".join(parts)


def zipped(folder: str, files: Iterable[File], about: Mapping[str, Any], *, at: datetime) -> Iterator[bytes]:
    """The ZIP of these files in `folder`, and at its end the manifest: `about`, and the SHA-256 of each file."""
    outlet, hashes = Outlet(), list[dict[str, Any]]()
    with zipfile.ZipFile(outlet, "w", zipfile.ZIP_DEFLATED) as pack:  # type: ignore[call-overload]
        for name, parts in files:
            digest, length = hashlib.sha256(), 0
            with pack.open(member(folder, name, at), "w") as entry:
                for part in parts:
                    digest.update(part)
                    length += len(part)
                    entry.write(part)
                    yield outlet.taken()
            hashes.append({"name": name, "sha256": digest.hexdigest(), "bytes": length})
        manifest = json.dumps({**about, "files": hashes}, indent=2, ensure_ascii=False).encode()
        pack.writestr(member(folder, MANIFEST, at), manifest)
        yield outlet.taken()
    yield outlet.taken()


def member(folder: str, name: str, at: datetime) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(f"{folder}/{name}", at.timetuple()[:6])
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry
