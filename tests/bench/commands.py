"""The commands of `make bench`: what each says, and how it is run. Their modules read the settings as they are imported."""

from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass

Run = Callable[[Namespace], None]


@dataclass(frozen=True)
class Command:
    says: str
    run: Run
    options: tuple[str, ...] = ()
    """Of `OPTIONS` in `__main__`."""


def everything(told: Namespace) -> None:
    for name in ("plain", "peer", "pgbench", "request-log", "hanging-supplier", "webhooks"):
        COMMANDS[name].run(told)


def plain(told: Namespace) -> None:
    from tests.bench import beside_plain

    beside_plain.main(told.rounds or beside_plain.ROUNDS)


def peer(told: Namespace) -> None:
    from tests.bench import beside_peer

    beside_peer.main(told.rounds or beside_peer.ROUNDS)


def parts(told: Namespace) -> None:
    from tests.bench.parts import report

    report.main(told.calls or 0, told.rounds or report.ROUNDS, told.meter or "")


def fairness(told: Namespace) -> None:
    from tests.bench.fairness import report

    report.main(told.rounds or report.ROUNDS, told.seconds or report.SECONDS)


def pgbench(told: Namespace) -> None:
    from tests.bench import pgbench

    pgbench.main(told.rounds or pgbench.ROUNDS)


def request_log(told: Namespace) -> None:
    from tests.bench import request_log

    request_log.main()


def hanging_supplier(told: Namespace) -> None:
    from tests.bench import hanging_supplier

    hanging_supplier.main()


def webhooks(told: Namespace) -> None:
    from tests.bench import webhooks

    webhooks.deliveries()


def pages(told: Namespace) -> None:
    from tests.bench.pages import report

    report.main(told.other or "", told.rounds or report.ROUNDS)


def growth(told: Namespace) -> None:
    from tests.bench import feed_growth, growth, webhooks

    growth.main()
    webhooks.growth()
    feed_growth.growth()


def feed(told: Namespace) -> None:
    from tests.bench import feed_growth

    feed_growth.main()


def settlements(told: Namespace) -> None:
    from tests.bench import settlements

    settlements.main(told.backlog or settlements.BACKLOG)


def sizes(told: Namespace) -> None:
    from tests.bench import sizes

    sizes.main()


def partitions(told: Namespace) -> None:
    from tests.bench import partitions

    partitions.main()


def costs(told: Namespace) -> None:
    from tests.bench.costs import measure

    measure.main(told.rounds or measure.ROUNDS)


def idle(told: Namespace) -> None:
    from tests.bench import idle

    idle.main()


COMMANDS: dict[str, Command] = {
    "all": Command(
        "the six from plain to webhooks, one after the other; what runs without a command",
        everything,
        ("rounds",),
    ),
    "plain": Command("requests beside a plain Django view and an empty view of DRF", plain, ("rounds",)),
    "peer": Command(
        "account, search and booking beside a usual DRF stack and a plain Django view", peer, ("rounds",)
    ),
    "pgbench": Command("bookings beside pgbench on their own SQL", pgbench, ("rounds",)),
    "request-log": Command("the request log on and off", request_log),
    "hanging-supplier": Command("what the other products feel while one supplier hangs", hanging_supplier),
    "webhooks": Command("deliveries a second beside a task and a post each", webhooks),
    "parts": Command("what each part of a call costs the processor", parts, ("rounds", "calls", "meter")),
    "fairness": Command(
        "what other partners pay while somebody is a burden", fairness, ("rounds", "seconds")
    ),
    "pages": Command("the portal's pages beside those of another checkout", pages, ("other", "rounds")),
    "growth": Command("lists, claims and sweeps at a million rows beside a thousand", growth),
    "feed": Command("pages of the feed at ten million events beside ten thousand", feed),
    "settlements": Command(
        "a backlog of settlements worked off by two workers and by six", settlements, ("backlog",)
    ),
    "sizes": Command("what a row of each large table takes on disk", sizes),
    "partitions": Command("the request log as one table and by month", partitions),
    "costs": Command("the dearest request of each operation", costs, ("rounds",)),
    "idle": Command("memory and processor time while nobody asks for anything", idle),
}
