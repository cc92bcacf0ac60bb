import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ApiError,
  ConflictError,
  ConnectionError,
  IdempotencyKeyInProgressError,
  NotFoundError,
  RateLimitExceededError,
  TimeoutError,
  UpstreamUnavailableError,
  metaOf,
} from "../src/index.js";
import { ORDER, halfABody, json, lostAnswer, notJson, refused, reset, stage, type Behaviour, type Stage } from "./misbehaving.js";

const MADE = json(201, { id: "ford_1" });

function keysOf({ received }: Stage): unknown[] {
  return received.map(({ headers }) => headers["idempotency-key"]);
}

const PASSING: Record<string, Behaviour> = {
  "a lost answer": lostAnswer,
  "a reset connection": reset,
  "half a body": halfABody,
  "an answer that is not JSON": notJson,
  "a 204 where there should be an order": json(204, undefined),
  "an answer that is null": json(201, null),
  "a late request": refused(408, "invalid_request"),
  "an internal error": refused(500, "internal_error"),
  "a supplier's refusal": refused(502, "upstream_error"),
  "a proxy's page": (response) => void response.writeHead(504).end("<h1>Gateway Timeout</h1>"),
};

for (const [name, behaviour] of Object.entries(PASSING)) {
  test(`after ${name} a write is sent again, the same bytes under the same key`, async (context) => {
    const on = await stage(context, [behaviour, behaviour, MADE]);
    const order = await on.client.flights.orders.create(ORDER);

    assert.equal(order.id, "ford_1");
    assert.equal(metaOf(order)?.attempts, 3);
    assert.equal(new Set(keysOf(on)).size, 1);
    assert.match(String(keysOf(on)[0]), /^[0-9a-f-]{36}$/);
    assert.deepEqual(on.received.map(({ body }) => JSON.parse(body) as unknown), [ORDER, ORDER, ORDER]);
    assert.deepEqual(on.time.waits, [500, 1000]);
  });
}

test("a slow answer is given up after the timeout, and asked for again", async (context) => {
  const on: Stage = await stage(context, [() => on.time.expire(), MADE]);
  const order = await on.client.flights.orders.create(ORDER, { timeoutMs: 50_000 });

  assert.equal(order.id, "ford_1");
  assert.equal(new Set(keysOf(on)).size, 1);
  assert.deepEqual(on.time.timeouts, [50_000, 50_000]);
});

test("a body that stops on its way is given up after the timeout", async (context) => {
  const stopping: Behaviour = (response) => {
    response.writeHead(201, { "Content-Length": "100" });
    response.write("{", () => on.time.expire());
  };
  const on: Stage = await stage(context, [stopping, MADE]);

  assert.equal((await on.client.flights.orders.create(ORDER)).id, "ford_1");
});

for (const [status, type] of [
  [503, "upstream_unavailable"],
  [429, "rate_limit_exceeded"],
  [409, "idempotency_key_in_progress"],
] as const) {
  test(`Retry-After of a ${status} ${type} is obeyed, and a little more`, async (context) => {
    const on = await stage(context, [refused(status, type, { "Retry-After": "7" }), MADE]);
    await on.client.flights.orders.create(ORDER);

    assert.deepEqual(on.time.waits, [7_500]);
    assert.equal(new Set(keysOf(on)).size, 1);
  });
}

test("a lost answer is waited for as long as the first call may run, which is 45 seconds", async (context) => {
  const running = refused(409, "idempotency_key_in_progress", { "Retry-After": "5" });
  let waited = (): number => 0;
  const asTheServiceDoes: Behaviour = (response, request) => (waited() < 45_000 ? running : MADE)(response, request);
  const on = await stage(context, [reset, asTheServiceDoes]);
  waited = () => on.time.now();

  assert.equal((await on.client.flights.orders.create(ORDER)).id, "ford_1");
  assert.ok(on.time.now() >= 45_000 && on.time.now() <= 60_000);
  assert.equal(new Set(keysOf(on)).size, 1);
});

test("a call that runs for ever is waited for until the deadline, and not at all with maxRetries 0", async (context) => {
  const on = await stage(context, [refused(409, "idempotency_key_in_progress", { "Retry-After": "5" })]);

  await assert.rejects(on.client.flights.orders.create(ORDER), IdempotencyKeyInProgressError);
  assert.ok(on.time.now() > 160_000 && on.time.now() < 180_000);
  const tries = on.received.length;
  await assert.rejects(on.client.flights.orders.create(ORDER, { maxRetries: 0 }), IdempotencyKeyInProgressError);
  assert.equal(on.received.length, tries + 1);
});

test("a Retry-After beyond a minute is left to the caller", async (context) => {
  const on = await stage(context, [refused(503, "upstream_unavailable", { "Retry-After": "61" })]);

  await assert.rejects(on.client.flights.orders.create(ORDER), (error) => {
    assert.ok(error instanceof UpstreamUnavailableError);
    assert.equal(error.retryAfter, 61);
    return true;
  });
  assert.equal(on.received.length, 1);
});

test("a used up quota, which is a 429 without Retry-After, is not asked again", async (context) => {
  const on = await stage(context, [refused(429, "rate_limit_exceeded")]);

  await assert.rejects(on.client.hotels.search(), RateLimitExceededError);
  assert.equal(on.received.length, 1);
});

test("what waiting does not change is not sent again", async (context) => {
  const on = await stage(context, [refused(409, "conflict")]);

  await assert.rejects(on.client.flights.orders.create(ORDER), ConflictError);
  assert.equal(on.received.length, 1);
});

test("tries are bounded, and the error has the key to go on with", async (context) => {
  const on = await stage(context, [refused(503, "upstream_unavailable")]);

  await assert.rejects(on.client.flights.orders.create(ORDER), (error) => {
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.attempts, error.idempotencyKey], [4, keysOf(on)[0]]);
    return true;
  });
  assert.equal(on.received.length, 4);
  assert.deepEqual(on.time.waits, [500, 1000, 2000]);
});

test("maxRetries 0 sends once", async (context) => {
  const on = await stage(context, [lostAnswer], { maxRetries: 0 });

  await assert.rejects(on.client.flights.orders.create(ORDER), (error) => {
    assert.ok(error instanceof ConnectionError);
    assert.equal(error.idempotencyKey, keysOf(on)[0]);
    return true;
  });
  assert.equal(on.received.length, 1);
});

test("no wait reaches beyond the deadline, and no try either", async (context) => {
  const on: Stage = await stage(context, [() => on.time.expire()], { timeoutMs: 60_000, deadlineMs: 100_000, maxRetries: 9 });

  await assert.rejects(on.client.flights.orders.create(ORDER), TimeoutError);
  assert.deepEqual(on.time.timeouts, [60_000, 39_500]);
});

test("the caller's key is sent, and each call without one has its own", async (context) => {
  const on = await stage(context, [MADE]);
  await on.client.flights.orders.create(ORDER, { idempotencyKey: "trip-42-first" });
  await on.client.flights.orders.create(ORDER);
  await on.client.flights.orders.create(ORDER);

  assert.equal(keysOf(on)[0], "trip-42-first");
  assert.equal(new Set(keysOf(on)).size, 3);
});

test("a read is sent again without a key", async (context) => {
  const on = await stage(context, [reset, json(200, { id: "ford_1" })]);
  await on.client.flights.orders.get("ford_1");

  assert.deepEqual(keysOf(on), [undefined, undefined]);
});

test("an endpoint that is gone after a lost answer was deleted; one that never was is not found", async (context) => {
  const on = await stage(context, [lostAnswer, refused(404, "not_found")]);

  await on.client.webhooks.endpoints.delete("we_1");
  await assert.rejects(on.client.webhooks.endpoints.delete("we_1"), NotFoundError);
  assert.equal(on.received.length, 3);
});

test("the caller's signal ends a try, a wait and a call that has not begun", async (context) => {
  const reason = new Error("The traveller left");
  const stopping = new AbortController();
  const on = await stage(context, [() => stopping.abort(reason), refused(503, "upstream_unavailable")]);
  const { signal } = stopping;

  await assert.rejects(on.client.flights.orders.create(ORDER, { signal }), reason);
  await assert.rejects(on.client.flights.orders.create(ORDER, { signal }), reason);
  assert.equal(on.received.length, 1);

  const waiting = new AbortController();
  on.time.meanwhile = () => waiting.abort(reason);
  await assert.rejects(on.client.flights.orders.create(ORDER, { signal: waiting.signal }), reason);
  assert.equal(on.received.length, 2);
});

test("a probe is asked once, and a 503 is its answer", async (context) => {
  const on = await stage(context, [json(503, { status: "unavailable" })]);
  const readiness = await on.client.health.ready();

  assert.deepEqual([readiness.status, metaOf(readiness)?.status, on.received.length], ["unavailable", 503, 1]);
});
