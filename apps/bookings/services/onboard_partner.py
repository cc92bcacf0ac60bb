"""The path of release 1.1 to `apps.onboarding`: operators' own scripts import from it. New code imports from there."""

from apps.onboarding.services.onboard_partner import Terms, onboard_partner

__all__ = ["Terms", "onboard_partner"]
