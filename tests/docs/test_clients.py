"""The packages of the client libraries, as the service serves them."""

import hashlib
import re

import pytest
from django.test import Client

from apps.docs import reference
from apps.docs.clients import PACKAGES, install, newest, packages
from apps.docs.samples import samples_of

KINDS = {"whl": "application/zip", "tgz": "application/gzip", "gz": "application/gzip"}
LANGUAGES = ("Python", "TypeScript", "PHP")


@pytest.mark.parametrize("package", packages(), ids=lambda package: package.file)
def test_a_package_is_served_as_the_manifest_describes_it(package):
    path = f"/docs/clients/{package.file}"
    answer, head = Client().get(path), Client().head(path)
    assert (answer.status_code, answer["Content-Type"]) == (200, KINDS[package.file.rpartition(".")[2]])
    assert len(answer.content) == package.size
    assert hashlib.sha256(answer.content).hexdigest() == package.sha256
    assert (head.status_code, head["Content-Length"], head.content) == (200, str(package.size), b"")
    assert answer["Cache-Control"] == "public, no-cache"
    known = Client().get(path, headers={"If-None-Match": answer["ETag"]})
    assert (known.status_code, known.content) == (304, b"")
    assert Client().post(path).status_code == 405


@pytest.mark.parametrize("name", ["manifest.json", "travel_partner-0.0.0-py3-none-any.whl", "..%2Fbuild.py"])
def test_nothing_else_is_served(name):
    assert Client().get(f"/docs/clients/{name}").status_code == 404


def test_every_package_is_in_the_manifest():
    lying = {path.name for path in PACKAGES.iterdir()} - {"manifest.json"}
    assert lying == {each.file for each in packages()}


def test_the_page_and_every_sample_have_the_deployments_address(settings):
    settings.PUBLIC_BASE_URL = "https://api.example.com"
    page = Client().get("/docs/clients").content.decode()
    for language in LANGUAGES:
        command = install(language)
        assert "https://api.example.com/docs/clients" in command
        assert command in re.sub("<.*?>", "", page)
        for operation in reference.every():
            [code] = [each.code for each in samples_of(operation) if each.language == language]
            assert command in code, operation.id
    assert all(each.sha256 in page for each in packages())


def test_composer_finds_the_package_of_php(settings):
    settings.PUBLIC_BASE_URL = "https://api.example.com"
    package = newest("PHP")
    found = Client().get("/docs/clients/packages.json").json()["packages"]["travel-partner/client"]
    dist = found[package.version]["dist"]
    assert (dist["url"], dist["type"]) == (f"https://api.example.com/docs/clients/{package.file}", "tar")
    assert dist["shasum"] == hashlib.sha1((PACKAGES / package.file).read_bytes()).hexdigest()
