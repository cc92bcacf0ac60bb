"""openapi-typescript: the types of the live document compile, and a program on them reads the account and an error."""

import json
from pathlib import Path

import pytest
import urllib3

from tests.clients.typescript.conftest import CLIENT, lacks, run
from tests.support.own_service import Service
from tests.support.tools import REQUIRED

pytestmark = pytest.mark.slow

PROGRAM = """
import type { paths } from "./schema.js";

type Account = paths["/v1/account"]["get"]["responses"]["200"]["content"]["application/json"];
type Refusal = paths["/v1/hotels/bookings/{id}"]["get"]["responses"]["404"]["content"]["application/json"];
type Booking = NonNullable<paths["/v1/hotels/bookings"]["post"]["requestBody"]>["content"]["application/json"];

export const wanted: Booking = {
  rateId: "rate_1",
  guests: [{ firstName: "Ada", lastName: "Byron", type: "adult" }],
  contact: { email: "ada@example.com", phone: "+351210000000" },
};
// @ts-expect-error a booking needs its guests
export const wrong: Booking = { rateId: "rate_1", contact: wanted.contact };

const headers = { Authorization: `Bearer ${process.env.API_KEY}` };
const read = async (path: string) => (await fetch(process.env.BASE_URL + path, { headers })).json();
const account = (await read("/v1/account")) as Account;
const refusal = (await read("/v1/hotels/bookings/hbk_unknown")) as Refusal;
console.log(JSON.stringify({ environment: account.environment, error: refusal.error.type }));
"""
OPTIONS = {
    "strict": True,
    "target": "es2022",
    "module": "nodenext",
    "types": ["node"],
    "typeRoots": [str(CLIENT / "node_modules" / "@types")],
}


def test_a_program_on_its_types_compiles_and_calls_the_service(service: Service, tmp_path: Path) -> None:
    if (lacking := lacks()) and not REQUIRED:
        pytest.skip(f"waits for {lacking}")
    assert not lacking, lacking
    tools = CLIENT / "node_modules" / ".bin"
    (tmp_path / "openapi.json").write_bytes(urllib3.request("GET", f"{service.url}/v1/openapi.json").data)
    (tmp_path / "package.json").write_text('{"type": "module", "private": true}')
    (tmp_path / "tsconfig.json").write_text(json.dumps({"compilerOptions": OPTIONS}))
    (tmp_path / "partner.ts").write_text(PROGRAM)
    # Otherwise every field that has a default is one that must be sent.
    words = ["openapi.json", "--output", "schema.d.ts", "--default-non-nullable", "false"]
    run([str(tools / "openapi-typescript"), *words], tmp_path)

    run([str(tools / "tsc"), "--project", "."], tmp_path)
    said = run(["node", "partner.js"], tmp_path, BASE_URL=service.url, API_KEY=service.secret)
    assert json.loads(said) == {"environment": "test", "error": "not_found"}
