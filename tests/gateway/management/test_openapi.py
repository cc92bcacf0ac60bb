"""`manage.py openapi`: the document without a server."""

from pathlib import Path

from django.core.management import call_command
from django.test import Client


def test_it_writes_what_the_service_serves(tmp_path: Path) -> None:
    call_command("openapi", str(tmp_path / "new" / "openapi.json"))

    assert (tmp_path / "new" / "openapi.json").read_bytes() == Client().get("/v1/openapi.json").content


def test_it_prints_it_where_no_file_is_named(capfdbinary) -> None:
    call_command("openapi")

    assert capfdbinary.readouterr().out == Client().get("/v1/openapi.json").content
