from django.apps import AppConfig


class RequestLogConfig(AppConfig):
    name = "apps.request_log"

    def ready(self) -> None:
        from apps.gateway.calls import call_ended
        from apps.gateway.probes import register_part
        from apps.request_log import health
        from apps.request_log.writer import log_call

        call_ended.connect(log_call)
        register_part("requestLog", health.request_log)
        health.register_metrics()
