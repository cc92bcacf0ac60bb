"""The Procfile's web server as a command: granian, with what a test chooses."""


def web_command(
    *,
    port: int,
    workers: int = 2,
    threads: int = 16,
    application: str = "config.wsgi:application",
    graceful_seconds: int = 35,
) -> list[str]:
    """What follows `python`. It goes with WEB_THREADS, which the application reads."""
    return [
        *("-m", "granian", "--interface", "wsgi", "--http", "1", "--no-ws"),
        *("--host", "127.0.0.1", "--port", str(port)),
        *("--workers", str(workers), "--blocking-threads", str(threads)),
        *("--respawn-failed-workers", "--workers-kill-timeout", str(graceful_seconds)),
        *("--log-level", "critical", application),
    ]
