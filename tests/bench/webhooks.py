"""Deliveries a second of one worker process of ours, beside a worker that makes a Celery task and a `requests.post` of each."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median

from tests.support.ports import free_port
from tests.support.service_processes import Environment, python, service

OURS, NAIVE = 4_000, 400  # deliveries of a round


def main(rounds: int, ours: int = OURS, naive: int = NAIVE) -> None:
    with (
        service("bench_webhooks") as environment,
        receiver() as url,
        python("tests.bench.webhooks_worker", url, environment=environment) as worker,
        naive_worker(environment),
    ):
        ask(worker, "naive 20")
        ask(worker, "ours 100")
        found = [(ask(worker, f"ours {ours}"), ask(worker, f"naive {naive}")) for _ in range(rounds)]
    fast, slow = (median(rates) for rates in zip(*found, strict=True))
    ratio = median(a / b for a, b in found)
    print(f"\n{'webhooks: deliveries of one worker process':48}{'a second':>10}{'ratio':>8}")
    print(f"{'claimed batches, kept connections':48}{fast:10.0f}{ratio:8.1f}")
    print(f"{'one Celery task and one requests.post each':48}{slow:10.0f}{1:8.1f}")


def ask(worker: "subprocess.Popen[str]", what: str) -> float:
    assert worker.stdin is not None
    assert worker.stdout is not None
    worker.stdin.write(f"{what}\n")
    worker.stdin.flush()
    return float(worker.stdout.readline())


@contextmanager
def naive_worker(environment: Environment) -> Iterator[None]:
    words = (
        "-A tests.bench.naive --quiet worker --queues naive --pool prefork --concurrency 1 --loglevel ERROR"
    )
    quiet = {"PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges"}
    with python("celery", *words.split(), environment={**environment, **quiet}):
        yield


@contextmanager
def receiver() -> Iterator[str]:
    """A receiver that costs little, in a process of its own; its URL."""
    port = free_port()
    with python("tests.bench.receiver", str(port), environment=dict(os.environ)) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield f"http://127.0.0.1:{port}/hooks"
