import assert from "node:assert/strict";
import { test } from "node:test";
import { json, refused, reset, stage } from "./misbehaving.js";

const FIRST = json(200, { data: [{ id: "ford_3" }, { id: "ford_2" }], hasMore: true, nextCursor: "after 2" });
const LAST = json(200, { data: [{ id: "ford_1" }], hasMore: false, nextCursor: null });

test("an iteration goes through all pages with its filters", async (context) => {
  const on = await stage(context, [FIRST, reset, LAST]);
  const ids: string[] = [];
  for await (const order of on.client.flights.orders.iterate({ status: "ticketed", limit: 2 })) ids.push(order.id);

  assert.deepEqual(ids, ["ford_3", "ford_2", "ford_1"]);
  const [first, , last] = on.received.map(({ url }) => url);
  assert.equal(first, "/v1/flights/orders?status=ticketed&limit=2");
  assert.equal(last, "/v1/flights/orders?status=ticketed&limit=2&cursor=after+2");
});

test("an iteration that is left asks for no further page", async (context) => {
  const on = await stage(context, [FIRST, LAST]);
  for await (const order of on.client.flights.orders.iterate()) if (order.id === "ford_2") break;

  assert.equal(on.received.length, 1);
});

test("an iteration ends with the refusal of a page", async (context) => {
  const on = await stage(context, [FIRST, refused(403, "insufficient_scope")]);
  const ids: string[] = [];

  await assert.rejects(async () => {
    for await (const order of on.client.flights.orders.iterate()) ids.push(order.id);
  });
  assert.deepEqual(ids, ["ford_3", "ford_2"]);
});
