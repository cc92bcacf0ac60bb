"""What a connection may take: bytes and seconds. Read from Django's settings, which read the environment."""

from dataclasses import dataclass

from django.conf import settings

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds are on the monotonic clock; rates are bytes a second, asked for after the first `grace_seconds`."""

    head_bytes: int = 32 * 1024
    head_fields: int = 100
    body_bytes: int = settings.MAX_BODY_BYTES
    """The largest body of a call; the service itself says 413."""
    form_bytes: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    """The largest body outside /v1."""
    buffered_bytes: int = 64 * MEBIBYTE
    """Unfinished bodies of all connections of a process together."""
    unsent_bytes: int = 64 * MEBIBYTE
    """Answers of all connections of a process that their readers have not taken yet."""
    system_bytes: int = 128 * 1024
    """What the system buffers of an answer; Linux doubles it."""
    memory_answer_bytes: int = MEBIBYTE
    """A longer answer waits for its reader in a file."""
    connections: int = 1_000
    connections_of_address: int = 500

    first_byte_seconds: float = 10.0
    head_seconds: float = 10.0
    body_seconds: float = 20.0
    answer_seconds: float = 60.0
    idle_seconds: float = 75.0
    drain_seconds: float = 2.0
    client_address_header: str = ""
    """In lower case: sent twice, it is refused."""
    grace_seconds: float = 3.0
    body_rate: int = 1_024
    answer_rate: int = 8 * 1_024

    def body_bytes_of(self, target: str) -> int:
        """The largest body that is read of a request for `target`; one that is larger is not read at all."""
        return self.body_bytes if target.startswith(("/v1", "/sandbox")) else self.form_bytes


def configured() -> Limits:
    """The limits of this deployment."""
    return Limits(
        head_seconds=settings.WEB_HEAD_SECONDS,
        first_byte_seconds=settings.WEB_HEAD_SECONDS,
        body_seconds=settings.WEB_BODY_SECONDS,
        answer_seconds=settings.WEB_ANSWER_SECONDS,
        idle_seconds=settings.WEB_IDLE_SECONDS,
        connections=settings.WEB_CONNECTIONS,
        client_address_header=settings.CLIENT_ADDRESS_HEADER.lower(),
        # Behind proxies every connection comes from one of them.
        connections_of_address=(
            settings.WEB_CONNECTIONS
            if settings.TRUSTED_PROXY_COUNT or settings.CLIENT_ADDRESS_HEADER
            else max(1, settings.WEB_CONNECTIONS // 2)
        ),
    )
