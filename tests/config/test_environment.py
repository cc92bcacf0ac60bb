"""What a process says that is started with a setting that cannot be meant (`config/environment.py`)."""

import os
import subprocess
import sys

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.environment import Environment
from tests.support.stack import ROOT

READS = "import config.settings"


@pytest.fixture
def env() -> Environment:
    return Environment()


@pytest.mark.parametrize(
    ("name", "kind", "said", "must_be"),
    [
        ("DAYS", "int", "soon", "a whole number"),
        ("DAYS", "int", "", "a whole number"),
        ("DAYS", "int", "1_0", "a whole number"),
        ("DAYS", "int", "١", "a whole number"),
        ("DAYS", "int", "-1", "0 or more"),
        ("WAIT", "float", "5s", "a number"),
        ("WAIT", "float", "nan", "a number"),
        ("WAIT", "float", "1e3", "a number"),
        ("WAIT", "float", "-0.5", "0 or more"),
        ("SEALED", "bool", "ture", "true or false"),
        ("WAITS", "seconds", "10,soon", "whole seconds with commas"),
        ("WAITS", "seconds", "", "whole seconds with commas"),
        ("WAITS", "seconds", "10,-30", "whole seconds with commas"),
    ],
)
def test_what_cannot_be_meant_is_refused_by_its_name(
    env: Environment, monkeypatch: pytest.MonkeyPatch, name: str, kind: str, said: str, must_be: str
) -> None:
    monkeypatch.setenv(name, said)
    with pytest.raises(ImproperlyConfigured) as refusal:
        getattr(env, kind)(name, default=[1] if kind == "seconds" else 1)
    assert str(refusal.value) == f"{name} is {said!r}, and must be {must_be}."


@pytest.mark.parametrize(
    ("kind", "said", "meant"),
    [
        ("int", "0", 0),
        ("int", " 8 ", 8),
        ("float", "0.05", 0.05),
        ("float", ".5", 0.5),
        ("float", "10", 10.0),
        ("bool", "Yes", True),
        ("bool", "off", False),
        ("bool", "", False),
        ("seconds", "10, 30", [10, 30]),
        ("int", "$OTHER", 7),
    ],
)
def test_what_is_meant_is_read(
    env: Environment, monkeypatch: pytest.MonkeyPatch, kind: str, said: str, meant: object
) -> None:
    monkeypatch.setenv("OTHER", "7")
    monkeypatch.setenv("SAID", said)
    assert getattr(env, kind)("SAID", default=[1] if kind == "seconds" else 1) == meant


@pytest.mark.parametrize(
    ("kind", "said", "must_be"),
    [
        (int, "0", "above 0"),
        (float, "0.0", "above 0"),
        (int, "-1", "above 0"),
        (int, "8", ""),
        (float, "0.1", ""),
    ],
)
def test_what_stands_still_with_0_is_above_0(
    env: Environment, monkeypatch: pytest.MonkeyPatch, kind: type[int], said: str, must_be: str
) -> None:
    monkeypatch.setenv("THREADS", said)
    if not must_be:
        assert env.above_zero(kind, "THREADS", default=1) == kind(said)
        return
    with pytest.raises(ImproperlyConfigured) as refusal:
        env.above_zero(kind, "THREADS", default=1)
    assert str(refusal.value) == f"THREADS is {said!r}, and must be {must_be}."


@pytest.mark.parametrize(
    ("name", "said", "why"),
    [
        ("FIELD_ENCRYPTION_KEYS", "", "FIELD_ENCRYPTION_KEYS is empty."),
        ("FIELD_ENCRYPTION_KEYS", "hunter2", "Key 1 of FIELD_ENCRYPTION_KEYS is not a Fernet key"),
        ("WEB_THREADS", "0", "WEB_THREADS is '0', and must be above 0."),
        ("TRUSTED_PROXY_COUNT", "-1", "TRUSTED_PROXY_COUNT is '-1', and must be 0 or more."),
        ("TRAVELLER_RETENTION_DAYS", "-3", "TRAVELLER_RETENTION_DAYS is '-3', and must be 0 or more."),
        ("SECURE_COOKIES", "ture", "SECURE_COOKIES is 'ture', and must be true or false."),
        (
            "LOOKUP_BACKOFF_SECONDS",
            "",
            "LOOKUP_BACKOFF_SECONDS is '', and must be whole seconds with commas.",
        ),
        ("GATEWAY_ENVIRONMENT", "prod", "GATEWAY_ENVIRONMENT must be test, live or empty."),
        ("REDIS_URL", "localhost:6379", "REDIS_URL must begin with redis://, rediss:// or unix://."),
        ("LOG_LEVEL", "loud", "LOG_LEVEL must be DEBUG, INFO, WARNING, ERROR or CRITICAL."),
        ("CLIENT_ADDRESS_HEADER", "X_Real_IP", "CLIENT_ADDRESS_HEADER is not a header name"),
    ],
)
def test_no_process_starts_with_a_setting_that_cannot_be_meant(name: str, said: str, why: str) -> None:
    started = subprocess.run(
        [sys.executable, "-c", READS],
        cwd=ROOT,
        env={**os.environ, name: said},
        capture_output=True,
        text=True,
    )
    last = started.stderr.strip().splitlines()[-1:]
    assert (started.returncode, why in "".join(last)) == (1, True), started.stderr
    assert "hunter2" not in started.stderr
