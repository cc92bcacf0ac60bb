"""A real PostgreSQL and a real Redis of one's own in any directory, from wheels, on unix sockets.

    database = Postgres(tmp_path / "postgres")
    database.start()  # makes the cluster the first time, recovers from a crash of the last owner
    database.url  # for DATABASE_URL
    database.kill()  # -9
    database.start()
    database.pause()  # SIGSTOP, backends included
    database.resume()
    database.stop()

They die with the process (on Linux the thread) that started them.
"""

from config.embedded.servers.base import Server
from config.embedded.servers.errors import ServerError
from config.embedded.servers.postgres import Postgres
from config.embedded.servers.redis import Redis

__all__ = ["Postgres", "Redis", "Server", "ServerError"]
