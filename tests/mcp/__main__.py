"""`make try-mcp`: a session of the official SDK's client with a service of its own, and the cost of a tool call."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import urllib3

from tests.demo.stage import new_key, own_service
from tests.demo.telling import Failed

ROOT = Path(__file__).resolve().parents[2]
SDK = ROOT / "var" / "mcp" / "bin" / "python"
SESSION_SECONDS = 300
CALLS = 200
PREPARE = """
from apps.keys.authentication import look_up
from apps.keys.models import ApiKey
from apps.keys.services import revoke_key
from apps.ledger.spend_limits import Limits, set_spend_limits
limits = Limits(per_booking_cents=1)
set_spend_limits(key=ApiKey.objects.get(pk=look_up("{limited}").key_id), limits=limits)
revoke_key(key=ApiKey.objects.get(pk=look_up("{revoked}").key_id))
"""
"""For what no command does: a key with a spend limit, and a key that was revoked."""


def main() -> int:
    try:
        with own_service() as url:
            key, limited, revoked = new_key(), new_key(), new_key()
            carry_out(PREPARE.format(limited=limited, revoked=revoked))
            keys = {"KEY": key, "LIMITED_KEY": limited, "REVOKED_KEY": revoked}
            code = session(url, keys)
            print(costs(url, key))
    except Failed as failure:
        print(f"\nFAILED: {failure}", file=sys.stderr)
        return 1
    return code


def carry_out(code: str) -> None:
    """Raises Failed."""
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(done.stdout + done.stderr)


def session(url: str, keys: dict[str, str]) -> int:
    bridge = {"BRIDGE_PYTHON": sys.executable, "BRIDGE_PATH": str(ROOT / "clients" / "python" / "src")}
    done = subprocess.run(
        [SDK, Path(__file__).with_name("sdk_session.py")],
        env={**os.environ, **keys, **bridge, "SERVICE": url},
        timeout=SESSION_SECONDS,
    )
    return done.returncode


def costs(url: str, key: str) -> str:
    """Medians of one run, in turns: a tool call, and the call of /v1 that it makes."""
    pool = urllib3.PoolManager(maxsize=1)
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    params: dict[str, Any] = {"name": "get_balance", "arguments": {}}
    message = orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})

    def tool() -> None:
        assert pool.request("POST", f"{url}/mcp", body=message, headers=headers).status == 200

    def direct() -> None:
        assert pool.request("GET", f"{url}/v1/account", headers=headers).status == 200

    of_tool, of_call = list[float](), list[float]()
    for _ in range(CALLS):
        of_tool.append(seconds(tool))
        of_call.append(seconds(direct))
    a, b = statistics.median(of_tool) * 1000, statistics.median(of_call) * 1000
    return f"get_balance by a tool {a:.2f} ms, GET /v1/account {b:.2f} ms: {a / b:.2f} times, {a - b:.2f} ms more."


def seconds(act: Callable[[], None]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


if __name__ == "__main__":
    sys.exit(main())
