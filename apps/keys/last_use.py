"""When a key and each of its secrets were last used, at most half a minute late, without a write for each call.

Each process stores the use of a secret twice a minute at most. That needs neither Redis nor a worker, and a partner who rotates
sees which of the two secrets is still used.
"""

import logging
import time
from datetime import datetime

from django.db import DatabaseError, connection

logger = logging.getLogger(__name__)

NOTED_EVERY_SECONDS = 30.0
MAX_REMEMBERED = 10_000

# The key's row before the secret's, as everywhere: the second UPDATE reads what the first one returns.
NOTE = """
WITH used AS (UPDATE keys_apikey SET last_used_at = %(now)s WHERE id = %(key_id)s RETURNING id)
UPDATE keys_keysecret SET last_used_at = %(now)s FROM used WHERE key_id = used.id AND digest = %(digest)s
"""

_noted: dict[str, float] = {}
"""When this process last stored the use of a digest, by the monotonic clock."""


def note(digest: str, key_id: str, now: datetime) -> None:
    """Store that the secret is used, unless this process just did. A failure loses only this one note."""
    instant = time.monotonic()
    if instant - _noted.get(digest, -NOTED_EVERY_SECONDS) < NOTED_EVERY_SECONDS:
        return
    if len(_noted) >= MAX_REMEMBERED:
        _noted.clear()
    _noted[digest] = instant
    try:
        with connection.cursor() as cursor:
            cursor.execute(NOTE, {"now": now, "key_id": key_id, "digest": digest})
    except DatabaseError:
        logger.warning("The last use of key %s could not be noted", key_id, exc_info=True)
