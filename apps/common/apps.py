from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "apps.common"

    def ready(self) -> None:
        from apps.common import connections, redis

        connections.watch()
        redis.watch()
