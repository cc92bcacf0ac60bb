from django.apps import AppConfig


class OnboardingConfig(AppConfig):
    """Opens partners: an account with its wallets, its portal owner and its keys in one step. It has no tables of its own."""

    name = "apps.onboarding"
