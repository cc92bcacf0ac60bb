"""`python -m tests.siege.attackers`: those who mean harm, in a process of their own that costs next to no processor time.

Orders: `{"begin": name, "port", "partners", "told"}` answers at once, and the attack goes on; `{"end": patience}` lets what is
open wait for the server's answer that many seconds more, and answers with the tally.
"""

import asyncio
import json
import sys
from typing import Any

from tests.siege.attacks import ATTACKS
from tests.siege.field import Field


class Attackers:
    def __init__(self) -> None:
        self.field: Field | None = None
        self.storm: asyncio.Task[None] | None = None

    async def obey(self, order: dict[str, Any]) -> Any:
        if "begin" in order:
            self.field = Field(order["port"], order["partners"], order["told"])
            self.storm = asyncio.ensure_future(ATTACKS[order["begin"]].storm(self.field))
            return {}
        assert self.field is not None
        assert self.storm is not None
        self.field.over = True
        done, _ = await asyncio.wait([self.storm], timeout=order["end"])
        if not done:
            self.storm.cancel()
            await asyncio.wait([self.storm])
        if not self.storm.cancelled() and (failure := self.storm.exception()):
            raise failure
        return self.field.tally.as_json()


async def main() -> None:
    attackers = Attackers()
    loop = asyncio.get_running_loop()
    orders = asyncio.StreamReader(limit=64 * 1024 * 1024)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin)
    while line := await orders.readline():
        print(json.dumps(await attackers.obey(json.loads(line))), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
