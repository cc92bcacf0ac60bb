import base64
import os
from pathlib import Path

import pytest

from config.embedded import prepare_environment, prepare_test_environment, with_database
from tests.embedded.support import Command


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("unix:///run/redis.sock?db=0", "unix:///run/redis.sock?db=7"),
        ("unix:///a%20path/redis.sock", "unix:///a%20path/redis.sock?db=7"),
        ("redis://host:6379/0", "redis://host:6379/7"),
        ("rediss://user:p%40ss@host:6380", "rediss://user:p%40ss@host:6380/7"),
    ],
)
def test_with_database_changes_only_the_number(url, expected):
    assert with_database(url, 7) == expected


@pytest.mark.parametrize(("worker", "number"), [("", 4), ("gw0", 5), ("gw11", 16)])
def test_each_test_process_has_a_redis_database_of_its_own(monkeypatch, worker, number):
    monkeypatch.setenv("DATABASE_URL", "postgres://elsewhere/x")
    monkeypatch.setenv("REDIS_URL", "redis://elsewhere/0")
    monkeypatch.setenv("TEST_REDIS_URL", "redis://elsewhere/4")
    monkeypatch.setenv("PYTEST_XDIST_WORKER", worker)
    prepare_test_environment()
    prepare_test_environment()  # a worker inherits what its parent has set
    assert os.environ["REDIS_URL"] == f"redis://elsewhere/{number}"


def test_servers_that_are_named_are_left_alone(monkeypatch, tmp_path):
    monkeypatch.setenv("DATABASE_URL", "postgres://elsewhere/x")
    monkeypatch.setenv("REDIS_URL", "redis://elsewhere/0")
    prepare_environment(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_the_embedded_database_brings_values_for_development(server_directory):
    command = Command(
        server_directory, PORT="8123", RECONCILIATION_SECONDS="30", REDIS_URL="redis://elsewhere/0"
    )
    found = command.environment()
    command.leave()
    assert {name: found[name] for name in DEVELOPMENT} == DEVELOPMENT
    assert found["SECRET_KEY"] == secret(server_directory / "secret_key")
    assert found["FIELD_ENCRYPTION_KEYS"] == secret(server_directory / "field_encryption_keys")
    assert found["SECRET_KEY"] != found["FIELD_ENCRYPTION_KEYS"]


DEVELOPMENT = {
    "DOCS_BASE_URL": "http://127.0.0.1:8123/docs",
    "RECONCILIATION_SECONDS": "30",  # what was set stays
    "SECURE_COOKIES": "false",
    "WEBHOOK_ALLOW_LOCAL_TARGETS": "true",
    "SIMULATE_LIVE_KEYS": "true",
}


def secret(path: Path) -> str:
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(base64.urlsafe_b64decode(path.read_bytes())) == 32
    return path.read_text()
