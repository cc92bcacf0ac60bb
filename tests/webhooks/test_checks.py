from pytest_django import Settings

from apps.webhooks.checks import refuse_local_targets


def test_local_targets_are_refused_in_production(settings: Settings) -> None:
    settings.WEBHOOK_ALLOW_LOCAL_TARGETS = True
    assert [message.id for message in refuse_local_targets()] == ["webhooks.E001"]


def test_without_local_targets_there_is_nothing_to_refuse(settings: Settings) -> None:
    settings.WEBHOOK_ALLOW_LOCAL_TARGETS = False
    assert refuse_local_targets() == []
