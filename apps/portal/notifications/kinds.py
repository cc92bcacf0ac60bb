"""What a member can be mailed of. Nothing is on by default."""

from django.db.models import TextChoices

from apps.common.environments import Environment


class Kind(TextChoices):
    ENDPOINT_FAILING = "endpoint_failing", "A webhook endpoint is failing"
    ENDPOINT_DISABLED = "endpoint_disabled", "A webhook endpoint was disabled after 10 failures"
    LOW_BALANCE = "low_balance", "The balance is below an amount"
    QUOTA = "quota", "80 % of the day's searches are used"
    KEYS = "keys", "An API key was created or revoked"
    LIVE_ACCESS = "live_access", "Live access was approved, declined, ended or expired"


def kinds_in(environment: str) -> list[Kind]:
    """Live access concerns live alone."""
    return [kind for kind in Kind if kind != Kind.LIVE_ACCESS or environment == Environment.LIVE]
