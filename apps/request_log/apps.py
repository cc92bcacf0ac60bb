from django.apps import AppConfig


class RequestLogConfig(AppConfig):
    name = "apps.request_log"

    def ready(self) -> None:
        from apps.gateway.calls import call_ended
        from apps.gateway.probes import register_part
        from apps.request_log import writer

        call_ended.connect(writer.log_call)
        register_part("requestLog", writer.health)
        writer.register_metrics()
