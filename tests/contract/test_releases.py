"""What was released stays as it is, and the live document keeps all of it (specification §9)."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from tests.contract.ratchet.releases import (
    DIGESTS,
    RELEASES,
    Refused,
    broken,
    digest,
    live,
    release,
    released,
)


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return live()


def test_the_live_document_breaks_no_release(document: dict[str, Any]) -> None:
    assert list(released()) == ["1.0.0", "1.1.0", "1.2.0", "1.3.0"]
    assert broken(document) == {}


def test_each_release_has_the_digest_that_it_was_released_with() -> None:
    lines = (RELEASES / DIGESTS).read_text().splitlines()
    told = dict(reversed(line.split("  ")) for line in lines)
    assert told == {file.name: digest(file) for file in RELEASES.glob("*.json")}
    assert len(lines) == len(told)


@pytest.fixture
def folder(tmp_path: Path, document: dict[str, Any]) -> Path:
    """With one release, 1.4.2."""
    release("1.4.2", with_version(document, "1.4.2"), tmp_path)
    return tmp_path


def with_version(document: dict[str, Any], version: str) -> dict[str, Any]:
    return {**copy.deepcopy(document), "info": {**document["info"], "version": version}}


def test_a_release_is_a_new_file_with_its_digest(folder: Path, document: dict[str, Any]) -> None:
    before = (folder / "1.4.2.json").read_bytes()
    release("1.10.0", with_version(document, "1.10.0"), folder)
    assert list(released(folder)) == ["1.4.2", "1.10.0"]
    assert (folder / "1.4.2.json").read_bytes() == before
    assert [line.split()[1] for line in (folder / DIGESTS).read_text().splitlines()] == [
        "1.4.2.json",
        "1.10.0.json",
    ]


@pytest.mark.parametrize("version", ["1.4.2", "1.4.1", "1.3.9", "2.0.0", "1.5", "1.05.0", "latest"])
def test_a_release_is_never_written_again_nor_before_another(
    folder: Path, document: dict[str, Any], version: str
) -> None:
    with pytest.raises(Refused):
        release(version, with_version(document, version), folder)
    assert list(released(folder)) == ["1.4.2"]


def test_a_document_of_another_version_is_no_release(folder: Path, document: dict[str, Any]) -> None:
    with pytest.raises(Refused, match=r"says that it is 1\.4\.2"):
        release("1.5.0", with_version(document, "1.4.2"), folder)


def test_what_breaks_a_client_is_not_released(folder: Path, document: dict[str, Any]) -> None:
    new = with_version(document, "1.5.0")
    new["paths"].pop("/v1/ping")
    with pytest.raises(Refused, match=r"breaks 1\.4\.2: /v1/ping: removed"):
        release("1.5.0", new, folder)
    assert not (folder / "1.5.0.json").exists()


def test_a_component_keeps_its_name_from_1_2_on(tmp_path: Path, document: dict[str, Any]) -> None:
    renaming = with_version(document, "1.9.0")
    renaming["components"]["schemas"]["FlightBooking"] = renaming["components"]["schemas"].pop("FlightOrder")
    text = json.dumps(renaming).replace('schemas/FlightOrder"', 'schemas/FlightBooking"')
    release("1.1.9", with_version(document, "1.1.9"), tmp_path)
    assert broken(json.loads(text), tmp_path) == {}

    release("1.2.0", with_version(document, "1.2.0"), tmp_path)
    told = {"1.2.0": ["component FlightOrder: renamed or removed"]}
    assert broken(json.loads(text), tmp_path) == told
