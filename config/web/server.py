"""The threads of a web process: each takes the next connection that has something to say, and does what can be done at once.

A thread reads what has arrived and leaves a connection whose request is not whole. One that is whole is called at once in
the same thread, where its share of the threads allows (`shares.py`), and the thread never waits for the reader of its answer.
"""

import contextlib
import logging
import os
import select
import socket
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

from apps.common import waiting
from apps.gateway.client_ip import address_behind_proxies
from apps.gateway.web_ticket import TICKET
from config.web import refusals
from config.web.accepting import READ, Listeners
from config.web.answering import Outgoing, Started, outgoing
from config.web.connection import Connection, Stage
from config.web.connections import Connections
from config.web.environ import environ_of
from config.web.limits import Limits
from config.web.reading import Malformed, Request
from config.web.shares import Costs, KnownKeys, Refused, Shares, Ticket, holder_of

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]
logger = logging.getLogger(__name__)

WRITE = select.EPOLLOUT | select.EPOLLONESHOT
WAITING = (Stage.NEW, Stage.IDLE)
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
RECEIVE_BYTES = 64 * 1024
POLL_SECONDS = 1.0
DRAIN_READS = 16
LAST_CALL_SECONDS = 1.0
"""For how long a process that stops still takes a call of a connection it has. To end one at once loses what is on its way."""
LARGE_BODY_BYTES = 32 * 1024
"""A body above it is no usual request's: bookings of eight rooms have 4 KiB."""


class Server:
    """One process's connections and threads."""

    def __init__(
        self, listeners: Iterable[socket.socket], application: Application, limits: Limits, threads: int
    ) -> None:
        self._application = application
        self._limits = limits
        self._shares = Shares(threads)
        self._known = KnownKeys()
        self._costs = Costs()
        self._epoll = select.epoll()
        self._connections = Connections()
        self._listeners = Listeners(listeners, self._epoll, self._connections, limits)
        self._stopping = False
        self._last_call_at = 0.0
        self._over = False
        self._threads = [
            threading.Thread(target=self._serve, name=f"web-{number}", daemon=True)
            for number in range(self._shares.all_threads)
        ]

    # --- what the process does with it ------------------------------------------------------------------------------
    def start(self) -> None:
        self._listeners.open()
        for thread in self._threads:
            thread.start()

    def keep_time(self) -> None:
        """End what is late; called a few times a second."""
        now = time.monotonic()
        for connection in self._connections:
            if connection.is_late(now) or (self._takes_no_more(now) and connection.stage in WAITING):
                connection.end()
        for ticket in self._shares.expired(now):
            refusal = refusals.unavailable("No turn came in time; nothing was begun. Try again shortly.")
            self._guarded(ticket.job[0], self._answer, refusal)

    def stop_accepting(self) -> None:
        """Let calls end. Connections that wait for a request may send one within LAST_CALL_SECONDS, and end with its answer."""
        if self._stopping:
            return
        self._stopping, self._last_call_at = True, time.monotonic() + LAST_CALL_SECONDS
        self._listeners.close()

    @property
    def done(self) -> bool:
        """Whether all calls have ended and their answers have been taken."""
        ended = WAITING if self._takes_no_more(time.monotonic()) else ()
        busy = (Stage.CALL, Stage.AGAIN, Stage.ANSWER, Stage.BODY, Stage.HEAD, *WAITING)
        return self._shares.idle and not any(
            one.stage in busy and one.stage not in ended for one in self._connections
        )

    def _takes_no_more(self, now: float) -> bool:
        return self._stopping and now >= self._last_call_at

    def close(self) -> None:
        """End the threads that are not in a call, and every connection."""
        self._over = True
        give_up = time.monotonic() + 2 * POLL_SECONDS
        with open(os.eventfd(1), "rb") as wakes_all:
            self._epoll.register(wakes_all, select.EPOLLIN)
            for thread in self._threads:
                thread.join(max(0.0, give_up - time.monotonic()))
        for connection in self._connections:
            with contextlib.suppress(OSError):
                connection.sock.shutdown(socket.SHUT_RDWR)

    # --- the threads ------------------------------------------------------------------------------------------------
    def _serve(self) -> None:
        while not self._over:
            try:
                events = self._epoll.poll(POLL_SECONDS, 1)
            except InterruptedError:
                continue
            for descriptor, _ in events:
                if descriptor in self._listeners:
                    self._listeners.accept_some(descriptor)
                elif connection := self._connections.get(descriptor):
                    self._guarded(connection, self._go_on)

    def _guarded(self, connection: Connection, do: Callable[..., None], *arguments: object) -> None:
        """A fault of ours, or of the connection, ends that connection and nothing else."""
        try:
            do(connection, *arguments)
        except OSError:
            self._close(connection)
        except Exception:
            logger.exception("a connection ended by a fault of the web server")
            self._close(connection)

    # --- one connection ---------------------------------------------------------------------------------------------
    def _go_on(self, connection: Connection) -> None:
        if connection.late:
            self._end_late(connection)
        elif connection.stage is Stage.ANSWER:
            self._write(connection)
        elif connection.stage is Stage.AGAIN:
            self._call_next(connection)
        elif connection.stage is Stage.DRAIN:
            self._drain(connection)
        else:
            self._read(connection)

    def _end_late(self, connection: Connection) -> None:
        if connection.stage in (Stage.HEAD, Stage.BODY):
            connection.reader.ended = True
            self._answer(connection, refusals.too_slow())
        else:
            self._close(connection)

    def _read(self, connection: Connection) -> None:
        try:
            data = connection.sock.recv(RECEIVE_BYTES)
        except BlockingIOError:
            self._epoll.modify(connection.fd, READ)
            return
        if not data:
            self._close(connection)
            return
        reader = connection.reader
        try:
            reader.feed(data)
        except Malformed as error:
            if not reader.ready:  # else what came whole before it is answered, and then the connection ends
                self._answer(connection, refusals.malformed(error))
                return
        self._connections.count(connection, buffered=reader.buffered)
        if reader.ready:
            self._call_next(connection)
        elif self._connections.buffered > self._limits.buffered_bytes:
            self._answer(connection, refusals.unavailable("Too many unfinished bodies; try again shortly."))
        else:
            self._read_on(connection)

    def _read_on(self, connection: Connection) -> None:
        reader = connection.reader
        if reader.asks_to_continue and not reader.buffered:
            reader.asks_to_continue = False
            connection.sock.send(CONTINUE)
        connection.read_on()
        self._epoll.modify(connection.fd, READ)

    def _call_next(self, connection: Connection) -> None:
        """Call the next request that is whole, now or in its turn; then whatever had to wait for this thread."""
        request = connection.reader.ready.popleft()
        connection.enter(Stage.CALL, 0)
        ticket = self._ticket(connection, request)
        if connection.called_since is not None:
            ticket.since, ticket.called = connection.called_since, True
            connection.called_since = None
        try:
            runs = self._shares.enter(ticket)
        except Refused as refused:
            self._answer(connection, refusals.busy(refused))
            return
        turn = ticket if runs else None
        while turn is not None:
            caller, request = turn.job
            try:
                self._guarded(caller, self._call, request, turn)
            finally:
                turn = self._shares.leave(turn)

    def _ticket(self, connection: Connection, request: Request) -> Ticket:
        """The call's place. A caller whose key is not known is an address: that of the caller, not of a proxy in front."""
        headers = request.headers
        address = address_behind_proxies(
            connection.peer,
            headers.get("x-forwarded-for", ""),
            headers.get(self._limits.client_address_header, ""),
        )
        holder, token = holder_of(request.path, headers.get("authorization", ""), address, self._known)
        dear = sum(map(len, request.body)) > LARGE_BODY_BYTES or self._costs.is_dear(
            (holder.name, request.method, request.path)
        )
        return Ticket(holder, (connection, request), dear, token, address)

    def _call(self, connection: Connection, request: Request, ticket: Ticket) -> None:
        environ = environ_of(request, connection.peer, connection.server)
        environ[TICKET] = ticket
        began = time.thread_time()
        waiting.tell(lambda: self._relieve(ticket))
        try:
            answer = self._answer_of(connection, request, environ)
        finally:
            waiting.tell(None)
        holder = ticket.account[0] if ticket.account else ticket.holder.name
        self._costs.note((holder, request.method, request.path), time.thread_time() - began)
        self._learn(ticket)
        if ticket.unanswered:
            answer.close()
            self._close(connection)
        else:
            self._answer(connection, answer)

    def _answer_of(self, connection: Connection, request: Request, environ: dict[str, Any]) -> Outgoing:
        started = Started()
        result = self._application(environ, started)
        try:
            last = self._is_last(connection, request)
            return outgoing(
                request, started, result, last=last, memory_bytes=self._limits.memory_answer_bytes
            )
        finally:
            close = getattr(result, "close", None)
            if close is not None:
                close()

    def _relieve(self, ticket: Ticket) -> None:
        """The call waits for a supplier: another one may compute meanwhile."""
        if next_one := self._shares.relieve(ticket):
            caller, request = next_one.job
            caller.called_since = next_one.since
            self._guarded(caller, self._call_again, request)

    def _learn(self, ticket: Ticket) -> None:
        """Whose key it was; other calls with it that arrived meanwhile need not wait among strangers."""
        if ticket.account is None or ticket.token is None:
            return
        if self._known.learn(ticket.token, ticket.account):
            for waiting in self._shares.recalled(ticket.token):
                self._guarded(waiting.job[0], self._call_again, waiting.job[1])

    def _call_again(self, connection: Connection, request: Request) -> None:
        """Let whichever thread is free call a request that has been waiting."""
        connection.reader.ready.appendleft(request)
        connection.enter(Stage.AGAIN, 0)
        self._epoll.modify(connection.fd, WRITE)

    def _is_last(self, connection: Connection, request: Request) -> bool:
        reader = connection.reader
        return not request.keep_alive or self._stopping or (reader.ended and not reader.ready)

    def _answer(self, connection: Connection, answer: Outgoing) -> None:
        connection.answer = answer
        connection.enter(Stage.ANSWER, self._limits.answer_seconds)
        self._write(connection)

    def _write(self, connection: Connection) -> None:
        """Send what the reader's system takes; the rest follows when it takes more, from whichever thread is free."""
        answer = connection.answer
        assert answer is not None
        while answer.refill():
            try:
                sent = connection.sock.sendmsg(answer.pieces[:16])
            except BlockingIOError:
                self._wait_for_reader(connection, answer)
                return
            connection.received += sent
            answer.taken(sent)
        connection.answer = None
        self._connections.count(connection, unsent=0)
        self._after_answer(connection, last=answer.last)

    def _wait_for_reader(self, connection: Connection, answer: Outgoing) -> None:
        self._connections.count(connection, unsent=answer.in_memory)
        if self._connections.unsent > self._limits.unsent_bytes:
            self._close(connection)
        else:
            self._epoll.modify(connection.fd, WRITE)

    def _after_answer(self, connection: Connection, *, last: bool) -> None:
        if last:
            connection.enter(Stage.DRAIN, self._limits.drain_seconds)
            connection.sock.shutdown(socket.SHUT_WR)
            self._epoll.modify(connection.fd, READ)
        elif connection.reader.ready:
            connection.enter(Stage.AGAIN, 0)
            self._epoll.modify(connection.fd, WRITE)
        else:
            self._read_on(connection)

    def _drain(self, connection: Connection) -> None:
        """Throw away what still comes, until its deadline: closed at once, the socket would take the answer with it.

        RFC 9112, 9.6. A few pieces at a time, so that who sends much holds no thread.
        """
        for _ in range(DRAIN_READS):
            try:
                if not connection.sock.recv(RECEIVE_BYTES):
                    self._close(connection)
                    return
            except BlockingIOError:
                break
        self._epoll.modify(connection.fd, READ)

    def _close(self, connection: Connection) -> None:
        if not self._connections.remove(connection):
            return
        if connection.answer is not None:
            connection.answer.close()
        connection.reader.close()
        connection.sock.close()
