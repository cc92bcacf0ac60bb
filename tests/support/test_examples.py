"""Hypothesis as the suite uses it."""

from hypothesis import HealthCheck, settings


def test_no_test_fails_because_the_machine_was_busy_while_examples_were_made_up() -> None:
    assert settings().deadline is None
    assert list(settings().suppress_health_check) == [HealthCheck.too_slow]
