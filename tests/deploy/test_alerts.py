"""deploy/monitoring: for each fault, as it shows in the figures, exactly the alert that is meant for it. promtool judges."""

import json
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from tests.support.figures import known_figures
from tests.support.stack import ROOT
from tests.support.tools import needs

MONITORING = ROOT / "deploy/monitoring"
RULES: list[dict[str, Any]] = yaml.safe_load((MONITORING / "alerts.yml").read_text())["groups"][0]["rules"]
SEVERITY = {rule["alert"]: rule["labels"]["severity"] for rule in RULES}
BEAT, WORKER = 'heartbeat_age_seconds{process="beat"}', 'heartbeat_age_seconds{process="worker"}'
NETWORK = 'heartbeat_age_seconds{process="networkWorker"}'
TASK, NIGHTLY = (
    'task_in_trouble{task="bookings: recover"}',
    'task_last_success_seconds{task="ledger: nightly fold"}',
)
UNRESOLVED = 'operations_unresolved{state="uncertain",age="%s"}'
REFUSED, LOST, UNTRUSTED, LEFT_ALONE = (
    'calls_total{operation="getAccount",status="503"}',
    'supplier_calls_total{supplier="duffel",outcome="no answer"}',
    'supplier_calls_total{supplier="duffel",outcome="certificate refused"}',
    'supplier_calls_total{supplier="duffel",outcome="not sent: breaker open"}',
)
GROWING = "0+15x60"
WELL: Mapping[str, str | None] = {
    'answers{part="database"}': "1",
    'answers{part="redis"}': "1",
    BEAT: "4",
    WORKER: "4",
    NETWORK: "4",
    TASK: "0",
    NIGHTLY: "3600",
    'queue_messages{queue="long"}': "0",
    UNRESOLVED % "under an hour": "1",
    UNRESOLVED % "under a day": "0",
    'holds_open{age="under an hour"}': "3",
    'holds_open{age="older"}': "0",
    "settlements_late_seconds{}": "5",
    "settlements_failing{}": "0",
    "deliveries_late_seconds{}": "1",
    "polls_late_seconds{}": "30",
    "request_log_lost_calls{}": "0",
    "request_log_waiting_seconds{}": "1",
    'task_in_trouble{task="bookings: settle what is owed"}': "0",
    'task_in_trouble{task="keys: every second"}': "0",
    'database_connections{state="idle"}': "30",
    "database_connections_most{}": "100",
    "clock_ahead_seconds{}": "0.01",
    'calls_total{operation="getAccount",status="200"}': GROWING,
    REFUSED: "0",
    'call_seconds_bucket{operation="getAccount",le="0.5"}': GROWING,
    'call_seconds_bucket{operation="getAccount",le="1.0"}': GROWING,
    'call_seconds_bucket{operation="getAccount",le="+Inf"}': GROWING,
    'supplier_calls_total{supplier="duffel",outcome="200"}': GROWING,
    LOST: "0",
    UNTRUSTED: "0",
    'criticals_total{logger="apps.gateway.periodic"}': "0",
}
"""Every figure that the rules read, 15 seconds apart, as they are while nothing is wrong."""
FROM_REDIS = ("heartbeat", "task_", "queue_", "request_log")

FAULTS: dict[str, tuple[Mapping[str, str | None], str, dict[str, str]]] = {
    "the web processes are gone": (
        {**dict.fromkeys(WELL), "up": "0"},
        "WebDown",
        {"instance": "a", "job": "travel-partner"},
    ),
    "PostgreSQL is away, and nothing is read from it": (
        {
            **{name: None for name in WELL if not re.search("answers|_total|_bucket", name)},
            'answers{part="database"}': "0",
            REFUSED: GROWING,
        },
        "DatabaseAway",
        {},
    ),
    "Redis is away, and searches are refused": (
        {
            **{name: None for name in WELL if name.startswith(FROM_REDIS)},
            'answers{part="redis"}': "0",
            'call_seconds_bucket{operation="getAccount",le="0.5"}': "0+12x60",
            REFUSED: GROWING,
        },
        "RedisAway",
        {},
    ),
    "beat is dead, and everything is late": (
        {**{name: GROWING for name in WELL if name.startswith("heartbeat")}, TASK: "1"},
        "BeatSilent",
        {},
    ),
    "a worker is dead, and its tasks are late": (
        {WORKER: GROWING, TASK: "1"},
        "WorkerSilent",
        {"process": "worker"},
    ),
    "the network worker is dead: nothing is settled, and deliveries wait": (
        {
            NETWORK: GROWING,
            "settlements_late_seconds{}": GROWING,
            "deliveries_late_seconds{}": GROWING,
            TASK: "1",
        },
        "WorkerSilent",
        {"process": "networkWorker"},
    ),
    "a task fails": ({TASK: "1"}, "TaskInTrouble", {"task": "bookings: recover"}),
    "a queue grows": ({'queue_messages{queue="long"}': "900"}, "QueueLong", {"queue": "long"}),
    "calls fail": ({REFUSED: "0+1x60"}, "ErrorsServed", {}),
    "reads are slow": (
        {'call_seconds_bucket{operation="getAccount",le="0.5"}': "0+12x60"},
        "CallsSlow",
        {"operation": "getAccount"},
    ),
    "an outcome stays unknown": ({UNRESOLVED % "under a day": "1"}, "OperationsUnresolved", {}),
    "a hold is stuck": ({'holds_open{age="older"}': "1"}, "HoldsOld", {}),
    "an outcome stays unknown for days, and its money is held": (
        {UNRESOLVED % "older": "1", 'holds_open{age="older"}': "1"},
        "OperationsUnresolved",
        {},
    ),
    "settlements fail, and with them their task": (
        {"settlements_failing{}": "2", 'task_in_trouble{task="bookings: settle what is owed"}': "1"},
        "SettlementsLate",
        {},
    ),
    "settlements are late": ({"settlements_late_seconds{}": "700"}, "SettlementsLate", {}),
    "deliveries pile up": ({"deliveries_late_seconds{}": GROWING}, "DeliveriesLate", {}),
    "polls stand still": ({"polls_late_seconds{}": "4000"}, "PollsLate", {}),
    "a supplier hangs, and calls end with 503": (
        {LOST: GROWING, REFUSED: "0+1x60"},
        "SupplierFails",
        {"supplier": "duffel"},
    ),
    "the certificate of a supplier expired, and it is left alone": (
        {UNTRUSTED: "0+1x60", LEFT_ALONE: GROWING, REFUSED: "0+1x60"},
        "SupplierCertificateRefused",
        {"supplier": "duffel"},
    ),
    "a quota is used up, and calls end with 503": (
        {REFUSED: "0+1x60", 'supplier_alerts{supplier="hotelbeds",kind="quota_used_up"}': "1"},
        "SupplierNeedsStaff",
        {"supplier": "hotelbeds", "kind": "quota_used_up"},
    ),
    "the request log cannot be written": (
        {"request_log_waiting_seconds{}": GROWING},
        "RequestLogWaits",
        {},
    ),
    "the request log loses calls": ({"request_log_lost_calls{}": "0x40 3x20"}, "RequestLogLosesCalls", {}),
    "the nightly check does not end well": ({NIGHTLY: "130000"}, "LedgerNotChecked", {}),
    "the ledger was altered": (
        {'criticals_total{logger="apps.ledger.consistency"}': "1"},
        "LedgerDiffers",
        {},
    ),
    "connections run out": ({'database_connections{state="idle"}': "90"}, "ConnectionsScarce", {}),
    "a clock is wrong": ({"clock_ahead_seconds{}": "-30"}, "ClockWrong", {"instance": "a"}),
}

needs_promtool = needs("promtool")


def promtool(*words: str | Path) -> str:
    done = subprocess.run(["promtool", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return "" if done.returncode == 0 else done.stdout


def case(name: str, figures: Mapping[str, str | None], firing: list[dict[str, str]]) -> dict[str, Any]:
    """A quarter of an hour of these figures, and the alerts that are raised by then: these and no others."""
    shown = {f"travel_partner_{one}": values for one, values in figures.items() if one != "up" and values}
    shown['up{job="travel-partner"}'] = figures.get("up") or "1"
    series = [
        {
            "series": one.replace("{", '{instance="a",').replace(",}", "}"),
            "values": values if "x" in values else f"{values}+0x60",
        }
        for one, values in shown.items()
    ]
    labels = [
        "ALERTS{" + ",".join(f'{name}="{value}"' for name, value in one.items()) + "}" for one in firing
    ]
    expected = [{"labels": one, "value": 1} for one in labels]
    asked = {"expr": 'ALERTS{alertstate="firing"}', "eval_time": "14m", "exp_samples": expected}
    return {"name": name, "interval": "15s", "input_series": series, "promql_expr_test": [asked]}


@needs_promtool
def test_promtool_takes_the_rules() -> None:
    assert promtool("check", "rules", MONITORING / "alerts.yml") == ""
    assert promtool("check", "config", "--syntax-only", MONITORING / "prometheus.yml") == ""


@needs_promtool
def test_each_fault_raises_the_alert_that_is_meant_for_it_and_no_other(tmp_path: Path) -> None:
    cases = [case("all is well", WELL, [])]
    for name, (changes, alert, labels) in FAULTS.items():
        raised = {"alertname": alert, "alertstate": "firing", "severity": SEVERITY[alert], **labels}
        cases.append(case(name, {**WELL, **changes}, [raised]))
    told = {"rule_files": [str(MONITORING / "alerts.yml")], "evaluation_interval": "15s", "tests": cases}
    file = tmp_path / "faults.yml"
    file.write_text(json.dumps(told))  # which is YAML as well
    assert promtool("test", "rules", file) == ""


def test_every_alert_has_its_fault() -> None:
    assert set(SEVERITY) == {alert for _, alert, _ in FAULTS.values()}


def test_the_rules_and_the_dashboard_read_figures_that_there_are() -> None:
    named: set[str] = set()
    for file in ("alerts.yml", "dashboard.json"):
        found = set(re.findall(r"travel_partner_[a-z_]+", (MONITORING / file).read_text()))
        assert len(found) > 15
        named |= found
    assert named - known_figures() == set()


def test_the_docs_name_every_figure() -> None:
    text = (ROOT / "docs/metrics.md").read_text()
    bare = {re.sub("^travel_partner_|_(total|bucket|count|sum)$", "", name) for name in known_figures()}
    assert len(bare) > 20
    assert sorted(name for name in bare if f"| `{name}`" not in text) == []


def test_the_runbook_has_the_place_that_each_alert_names() -> None:
    named = {rule["annotations"]["runbook"] for rule in RULES}
    assert len(named) == len(RULES)
    pages = {place.partition("#")[0] for place in named}
    assert pages == {"docs/operations.md"}
    headings = re.findall(r"(?m)^#+ (.*)$", (ROOT / "docs/operations.md").read_text())
    there = {f"docs/operations.md#{heading.lower()}" for heading in headings}
    assert named - there == set()
