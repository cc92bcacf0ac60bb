from django.apps import AppConfig


class GatewayConfig(AppConfig):
    name = "apps.gateway"

    def ready(self) -> None:
        from apps.common import replica
        from apps.gateway import checks, heartbeats, receivers  # noqa: F401
        from apps.gateway.metrics import readings
        from apps.gateway.periodic.health import tasks
        from apps.gateway.periodic.recording import listen
        from apps.gateway.probes import register_part
        from apps.gateway.request_log.health import request_log

        heartbeats.register()
        register_part("requestLog", request_log)
        register_part("tasks", tasks)
        if replica.configured():
            register_part("replica", replica.health)
        readings.register()
        listen()
