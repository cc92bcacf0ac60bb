from django.apps import AppConfig
from django.conf import settings
from django.contrib.admin.apps import AdminConfig


class CommonConfig(AppConfig):
    name = "apps.common"

    def ready(self) -> None:
        from apps.common import redis, tracing
        from apps.common.metrics import DATABASE_TEXTS, Readings, database, register_readings

        redis.watch()
        if settings.TRACES:
            tracing.begin()
        register_readings(Readings(DATABASE_TEXTS, database))


class BackOfficeConfig(AdminConfig):
    default_site = "apps.common.back_office.BackOfficeSite"
