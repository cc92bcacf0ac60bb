"""The TypeScript client by itself."""

import re
from pathlib import Path

import pytest

from apps.common import errors
from apps.gateway.settlement import NEVER_STORED
from tests.clients.typescript.conftest import CLIENT, by_one_process, compiled, run


def test_it_has_a_class_for_every_type_of_error() -> None:
    types = {
        refusal.type
        for refusal in vars(errors).values()
        if isinstance(refusal, type) and issubclass(refusal, errors.GatewayError) and hasattr(refusal, "type")
    }
    table = (CLIENT / "src" / "errors.ts").read_text().partition("const CLASSES = {")[2].partition("};")[0]
    assert set(re.findall(r"^  (\w+): ", table, re.MULTILINE)) == types


def test_the_readme_sends_nobody_to_a_second_booking_while_the_first_may_stand() -> None:
    """A try that is refused before its key is looked at says nothing of the try before it, whose answer was lost."""
    readme = (CLIENT / "README.md").read_text()
    advice = readme[readme.index("A write that ended") : readme.index("## Headers")]
    open_still, _, nothing_done = advice.partition("After any other refusal")
    assert nothing_done
    for refusal in (
        "5xx",
        "`idempotency_key_in_progress`",
        *map(str, sorted({401, 403, 429} & NEVER_STORED)),
    ):
        assert refusal in open_still, refusal


@pytest.mark.packages
def test_its_own_tests_pass(client: Path) -> None:
    with by_one_process():
        said = run(["npm", "test"], client)
    assert re.search(r"^. pass [1-9]\d*$", said, re.MULTILINE), said
    assert re.search(r"^. fail 0$", said, re.MULTILINE), said


@pytest.mark.packages
def test_older_modules_can_require_it(consumer: Path) -> None:
    (consumer / "old.cjs").write_text('console.log(typeof require("travel-partner").TravelPartner)')
    assert "function" in run(["node", "old.cjs"], consumer)


@pytest.mark.packages
def test_every_example_of_the_readme_compiles(consumer: Path) -> None:
    examples = re.findall(r"^```ts\n(.*?)^```$", (CLIENT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert len(examples) == 9
    (consumer / "main.ts").unlink()
    for number, example in enumerate(examples):
        imports, rest = split_imports(example)
        own = KNOWN if number else ""  # the first example stands as it is
        (consumer / f"example{number}.ts").write_text(f"{imports}{own}{rest}\nexport {{}};\n")
    compiled(consumer)


KNOWN = """
declare const client: import("travel-partner").TravelPartner;
declare const request: import("travel-partner").FlightOrderRequest & import("travel-partner").HotelBookingRequest;
declare const order: import("travel-partner").FlightOrder;
declare const trip: { id: string };
declare const controller: AbortController;
declare const position: { load(): Promise<string | undefined>; store(id: string): Promise<void> };
declare function handle(event: import("travel-partner").FeedEvent): Promise<void>;
"""


def split_imports(example: str) -> tuple[str, str]:
    lines = example.splitlines(keepends=True)
    imports = [line for line in lines if line.startswith("import ")]
    return "".join(imports), "".join(line for line in lines if line not in imports)
