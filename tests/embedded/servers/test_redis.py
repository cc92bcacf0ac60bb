import pytest
import redis

from config.embedded.environment import with_database
from config.embedded.servers import Redis

pytestmark = pytest.mark.stack


@pytest.fixture
def server(tmp_path):
    server = Redis(tmp_path / "of a % and spaces")
    server.start()
    yield server
    server.stop()


def test_it_refuses_when_full_rather_than_forgets_and_listens_on_its_socket_only(server):
    client = redis.Redis.from_url(server.url, decode_responses=True)
    wanted = {"maxmemory-policy": "noeviction", "save": "", "appendonly": "no", "port": "0"}
    assert {name: client.config_get(name)[name] for name in wanted} == wanted


def test_each_database_number_of_its_address_is_a_database(server):
    redis.Redis.from_url(with_database(server.url, 63)).set("here", 1)
    assert redis.Redis.from_url(server.url).keys() == []
    assert redis.Redis.from_url(with_database(server.url, 63)).keys() == [b"here"]


def test_a_killed_one_starts_again_at_the_same_address_and_empty(server):
    client = redis.Redis.from_url(server.url)
    client.set("gone", 1)
    server.kill()
    with pytest.raises(redis.ConnectionError):
        client.ping()
    server.start()
    assert client.keys() == []


def test_a_paused_one_lets_its_clients_wait(server):
    hurried = redis.Redis.from_url(server.url, socket_timeout=0.3, retry=None)
    server.pause()
    with pytest.raises(redis.TimeoutError):
        hurried.ping()
    server.resume()
    assert redis.Redis.from_url(server.url).ping() is True
