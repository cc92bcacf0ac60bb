import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import * as travelPartner from "../src/index.js";
import { ApiError, ConnectionError, InvalidRequestError, PriceChangedError, TravelPartner } from "../src/index.js";
import { API_KEY, ORDER, json, lostAnswer, refused, reset, stage } from "./misbehaving.js";

async function thrownBy(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => assert.fail("it was answered"),
    (error: unknown) => error,
  );
}

test("a refusal has what the service said", async (context) => {
  const extras = { previousTotalCents: 100, currentTotalCents: 120, currency: "EUR", docUrl: "https://example.com/e" };
  const on = await stage(context, [refused(409, "price_changed", {}, extras)]);
  const error = await thrownBy(on.client.flights.orders.create(ORDER));

  assert.ok(error instanceof PriceChangedError);
  assert.ok(error instanceof ApiError);
  assert.ok(error instanceof Error);
  assert.deepEqual(
    [error.name, error.type, error.status, error.message, error.requestId, error.docUrl],
    ["PriceChangedError", "price_changed", 409, "It is price_changed.", "req-1", "https://example.com/e"],
  );
  assert.deepEqual([error.previousTotalCents, error.currentTotalCents, error.currency], [100, 120, "EUR"]);
  assert.deepEqual(error.extras, { previousTotalCents: 100, currentTotalCents: 120, currency: "EUR" });
});

test("a request that is not valid is told field by field", async (context) => {
  const details = [{ field: "passengers.0.type", message: "Is required." }];
  const on = await stage(context, [refused(400, "invalid_request", {}, { details })]);
  const error = await thrownBy(on.client.flights.orders.create(ORDER));

  assert.ok(error instanceof InvalidRequestError);
  assert.deepEqual(error.details, details);
});

for (const type of ["of_tomorrow", "constructor", "__proto__"]) {
  test(`the type ${type}, which nobody knows, is an ApiError`, async (context) => {
    const on = await stage(context, [refused(422, type, {}, { news: 1 })]);
    const error = await thrownBy(on.client.account.get());

    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.constructor, error.type, error.extras], [ApiError, type, { news: 1 }]);
  });
}

for (const body of [null, [], "no", { error: "no" }, { error: null }, { error: { type: 7, message: {}, details: "x" } }]) {
  test(`an answer that is no envelope is an ApiError: ${JSON.stringify(body)}`, async (context) => {
    const on = await stage(context, [json(404, body)]);
    const error = await thrownBy(on.client.account.get());

    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.constructor, error.type, error.message], [ApiError, "unknown", "HTTP 404 without a readable error"]);
    assert.deepEqual(error.details, []);
  });
}

test("a redirect is not followed", async (context) => {
  const on = await stage(context, [(response) => response.writeHead(307, { Location: "/elsewhere" }).end()]);
  const error = await thrownBy(on.client.account.get());

  assert.ok(error instanceof ApiError);
  assert.deepEqual([error.status, on.received.length], [307, 1]);
});

test("the key is in no error and in no inspection", async (context) => {
  const on = await stage(context, [refused(401, "invalid_api_key"), lostAnswer, reset, json(200, { id: "acc_1" })], {
    maxRetries: 0,
  });
  const shown: unknown[] = [on.client];
  for (let call = 0; call < 3; call++) shown.push(await thrownBy(on.client.account.get()));
  shown.push(await on.client.account.get());
  for (const apiKey of [`${API_KEY}\nX-A: 1`, `svc ${API_KEY}`, `${API_KEY}é`]) {
    assert.throws(() => new TravelPartner({ apiKey, baseUrl: on.url }), (error) => shown.push(error) > 0);
  }

  assert.equal(on.received[0]?.headers.authorization, `Bearer ${API_KEY}`);
  assert.equal(shown.length, 8);
  for (const value of shown) {
    const words = inspect(value, { depth: 20, showHidden: true }) + JSON.stringify(value) + String((value as Error).stack);
    assert.ok(!words.includes("0123456789abcdef"), words);
  }
});

test("a connection that cannot be made is told", async () => {
  const client = new TravelPartner({ apiKey: API_KEY, baseUrl: "http://127.0.0.1:1", maxRetries: 0 });
  const error = await thrownBy(client.ping());

  assert.ok(error instanceof ConnectionError);
  assert.ok(error.cause instanceof Error);
});

test("every class of error is exported under its name", () => {
  const classes = Object.entries(travelPartner).filter(([name]) => name.endsWith("Error"));

  assert.equal(classes.length, 35);
  for (const [name, value] of classes) assert.equal((value as { name: string }).name, name);
});
