import pytest
from django.core.cache import cache

from apps.common.redis import guarded


@pytest.fixture(params=["redis", "no redis"])
def either(request, settings):
    """The same promises with Redis and without."""
    if request.param == "no redis":
        settings.REDIS_URL = "redis://127.0.0.1:1/1"
    cache.clear()
    yield cache
    cache.clear()


def test_what_was_set_is_read_back_until_it_is_deleted(either):
    either.set("history", [1.5, 2.5], 60)
    assert either.get("history") == [1.5, 2.5]
    assert (either.delete("history"), either.delete("history")) == (True, False)
    assert (either.get("history"), either.get("history", "nothing")) == (None, "nothing")


def test_of_two_who_add_one_wins(either):
    assert (either.add("lock", True, 60), either.add("lock", False, 60)) == (True, False)
    assert either.get("lock") is True


def test_a_counter_that_is_there_goes_up(either):
    either.set("count", 0, 60)
    assert (either.incr("count"), either.incr("count", 5), either.get("count")) == (1, 6, 6)
    with pytest.raises(ValueError):
        either.incr("nothing")


def test_what_was_kept_for_no_time_is_gone(either):
    either.set("brief", 1, 0)
    either.set("lasting", 1, None)
    assert (either.touch("lasting", 60), either.touch("nothing", 60)) == (True, False)
    either.touch("lasting", 0)
    assert (either.get("brief"), either.get("lasting")) == (None, None)


def test_clearing_leaves_what_is_not_the_caches():
    guarded().run(lambda client: client.set("rate:somebody", 1, ex=60), insist=True)
    cache.set("ours", 1, 60)
    cache.clear()
    left = guarded().run(lambda client: client.get("rate:somebody"), insist=True)
    assert (cache.get("ours"), left) == (None, b"1")
