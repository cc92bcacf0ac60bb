from django.apps import AppConfig


class StatusConfig(AppConfig):
    name = "apps.status"
    verbose_name = "Status page"
