"""Requests beside two views that do nothing, under the same server: a plain Django view, and an empty one of DRF."""

import json
from datetime import UTC, datetime, timedelta
from statistics import median

from tests.bench.load import Shot, Volley, fire
from tests.bench.server import Server, served

ROUNDS = 5
SECONDS = 3.0


def main(rounds: int = ROUNDS) -> None:
    with served() as server:
        results = measure(server, shots(server), rounds)
    report(results)


def shots(server: Server) -> list[Shot]:
    """The two views that do nothing, the account without the gateway and with it, a search and an order."""
    day = (datetime.now(UTC) + timedelta(days=60)).date().isoformat()
    search = {"origin": "LHR", "destination": "JFK", "departureDate": day, "limit": 20}
    found = server.call("POST", "/v1/flights/searches", search)
    offer = found["offers"][0]  # type: ignore[index]
    passenger = {"firstName": "Ada", "lastName": "Byron", "dateOfBirth": "1990-12-10", "type": "adult"}
    order = {
        "offerId": offer["offerId"],
        "passengers": [passenger],
        "contact": {"email": "ada@example.com", "phone": "+351210000000"},
    }
    return [
        Shot.get("plain Django view", "/bench/plain"),
        Shot.get("empty DRF view", "/bench/drf"),
        Shot.get("account without checks", "/bench/account", server.secret),
        Shot.get("GET account", "/v1/account", server.secret),
        Shot.post("POST flight search", "/v1/flights/searches", server.secret, json.dumps(search)),
        Shot.post("POST flight order", "/v1/flights/orders", server.secret, json.dumps(order)),
    ]


def measure(server: Server, all_shots: list[Shot], rounds: int) -> dict[str, list[Volley]]:
    """Every shot in turn, `rounds` times, so that a change of the machine's speed meets them all."""
    results: dict[str, list[Volley]] = {shot.name: [] for shot in all_shots}
    for shot in all_shots:
        fire(shot, server.port, 1.0, f"warm-{shot.seed}")
    for number in range(rounds):
        for shot in all_shots:
            results[shot.name].append(fire(shot, server.port, SECONDS, f"{number}-{shot.seed}"))
    return results


def report(results: dict[str, list[Volley]]) -> None:
    plain, drf = results["plain Django view"], results["empty DRF view"]
    unchecked = results["account without checks"]
    print(f"\n{'':24}{'req/s':>9}{'median ms':>11}{'p99 ms':>9}{'of DRF':>9}{'of plain':>10}")
    for name, volleys in results.items():
        of_drf, of_plain = ratio(volleys, drf), ratio(volleys, plain)
        rate, middle, p99 = (
            median(getattr(volley, field) for volley in volleys) for field in ("per_second", "median", "p99")
        )
        print(f"{name:24}{rate:9.0f}{middle:11.2f}{p99:9.2f}{of_drf:9.2f}{of_plain:10.2f}")
    print(
        f"\nThe account with every check of the gateway, of the same without: {ratio(results['GET account'], unchecked):.2f}"
    )
    print("Medians over the rounds; the ratios are the medians of the rounds' own ratios.")


def ratio(volleys: list[Volley], others: list[Volley]) -> float:
    return median(a.per_second / b.per_second for a, b in zip(volleys, others, strict=True))
