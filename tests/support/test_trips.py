"""What counts as a round trip to Redis does not depend on what the process did before."""

import uuid

from apps.common import redis
from apps.common.redis import Script
from tests.support.trips import counted_redis_trips


def test_neither_opening_a_connection_nor_making_a_script_known_is_a_trip() -> None:
    script = Script(f"return {{1, '{uuid.uuid4()}'}}")
    redis._guarded.cache_clear()

    found = []
    for _ in range(2):
        with counted_redis_trips() as trips:
            redis.run(lambda client: client.ping())
            script.run(keys=[])
        found.append(len(trips))

    assert found == [2, 2]
