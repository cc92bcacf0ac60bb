from django.apps import AppConfig


class PortalConfig(AppConfig):
    name = "apps.portal"

    def ready(self) -> None:
        from apps.portal import checks  # noqa: F401
        from apps.portal.sign_in import audit  # noqa: F401
