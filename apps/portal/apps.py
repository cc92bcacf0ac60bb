from django.apps import AppConfig


class PortalConfig(AppConfig):
    name = "apps.portal"

    def ready(self) -> None:
        from allauth.mfa.models import Authenticator

        from apps.common.encryption import Part, register_part, register_texts
        from apps.portal import checks  # noqa: F401
        from apps.portal.models import NotificationChoice
        from apps.portal.sign_in import audit  # noqa: F401
        from apps.portal.sign_in.adapter import renew

        register_texts(NotificationChoice, "chat_url_encrypted")
        register_part(Part("mfa.Authenticator", Authenticator.objects.all, renew, ["data"]))
