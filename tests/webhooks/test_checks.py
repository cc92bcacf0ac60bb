"""Settings with which webhooks would be sent twice, or into our network."""

import pytest
from pytest_django import Settings

from apps.webhooks.checks import attempts_end_within_their_lease, refuse_local_targets


def test_local_targets_are_refused_in_production(settings: Settings) -> None:
    settings.WEBHOOK_ALLOW_LOCAL_TARGETS = True
    [message] = refuse_local_targets()
    assert (message.id, message.hint) == ("webhooks.E001", "Unset it in production.")
    settings.WEBHOOK_ALLOW_LOCAL_TARGETS = False
    assert refuse_local_targets() == []


@pytest.mark.parametrize(("seconds", "refused"), [(10, []), (28.9, []), (29, ["webhooks.E002"])])
def test_an_attempt_ends_within_its_lease(settings: Settings, seconds: float, refused: list[str]) -> None:
    settings.WEBHOOK_TIMEOUT_SECONDS = seconds
    assert [message.id for message in attempts_end_within_their_lease()] == refused
