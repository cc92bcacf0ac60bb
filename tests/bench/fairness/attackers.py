"""`python -m tests.bench.fairness.attackers`: the siege's attackers, who know one attack more."""

import asyncio

from tests.bench.fairness.situations import TOGETHER
from tests.siege.attackers import main
from tests.siege.attacks import ATTACKS

if __name__ == "__main__":
    ATTACKS[TOGETHER.name] = TOGETHER
    asyncio.run(main())
