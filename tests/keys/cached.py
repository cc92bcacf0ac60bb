"""What the key cache holds."""

from apps.common import redis
from apps.keys import secrets


def cached_entry(secret: str) -> bytes | None:
    return redis.run(lambda client: client.get(f"key:{secrets.digest(secret)}"))
