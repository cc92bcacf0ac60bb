from pathlib import Path

from django.apps import AppConfig
from django.conf import settings


class CommonConfig(AppConfig):
    name = "apps.common"

    def ready(self) -> None:
        from apps.common import redis, tracing
        from apps.common.metrics import counting
        from apps.common.metrics.database import register

        redis.watch()
        if settings.METRICS_DIRECTORY:
            counting.begin(Path(settings.METRICS_DIRECTORY))
        if settings.TRACES:
            tracing.begin()
        register()
