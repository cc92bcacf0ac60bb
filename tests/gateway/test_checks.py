"""`check --deploy` of the tokens of whoever runs the service."""

import pytest

from apps.gateway.checks import health_is_not_public, tokens_cannot_be_guessed, what_is_counted_is_read


@pytest.mark.parametrize("name", ["METRICS_TOKEN", "HEALTH_TOKEN"])
@pytest.mark.parametrize(
    ("token", "found"), [("", []), ("x", ["gateway.E001"]), ("x" * 15, ["gateway.E001"]), ("x" * 16, [])]
)
def test_a_token_that_can_be_guessed_is_refused(settings, name: str, token: str, found: list[str]) -> None:
    setattr(settings, name, token)
    told = tokens_cannot_be_guessed()
    assert [one.id for one in told] == found
    assert all(one.msg.startswith(name) for one in told)
    assert all(one.hint == "Make one with: openssl rand -hex 24" for one in told)


@pytest.mark.parametrize(
    ("token", "directory", "found"),
    [
        ("", "", []),
        ("x" * 16, "", []),
        ("x" * 16, "/run/figures", []),
        ("", "/run/figures", ["gateway.W001"]),
    ],
)
def test_figures_that_nobody_can_read_are_told(
    settings, token: str, directory: str, found: list[str]
) -> None:
    settings.METRICS_TOKEN, settings.METRICS_DIRECTORY = token, directory
    told = what_is_counted_is_read()
    assert [one.id for one in told] == found
    assert all(one.hint == "Set both, or neither." for one in told)


@pytest.mark.parametrize(("token", "found"), [("", ["gateway.W002"]), ("x" * 16, [])])
def test_health_that_anyone_can_read_is_a_warning(settings, token: str, found: list[str]) -> None:
    settings.HEALTH_TOKEN = token
    assert [one.id for one in health_is_not_public()] == found
