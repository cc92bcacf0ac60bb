import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { OPERATIONS } from "../src/generated/operations.js";
import { TravelPartner, VERSION, metaOf } from "../src/index.js";
import { API_KEY, ORDER, json, stage } from "./misbehaving.js";

const ANY = { data: [], hasMore: false, nextCursor: null, total: 0 };

/** Every method of every resource, once, with an id where it takes one; `follow` alone not, which calls `list` for ever. */
async function callEverything(resource: object): Promise<void> {
  for (const part of Object.values(resource) as unknown[]) {
    if (typeof part === "object" && part !== null) await callEverything(part);
  }
  const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(resource)).filter(
    (name) => name !== "constructor" && name !== "follow",
  );
  for (const name of methods) {
    const answer = (resource as Record<string, (...given: unknown[]) => unknown>)[name]?.(...idsOf(name), {});
    if (isIterable(answer)) for await (const _ of answer) assert.fail("there is nothing");
    else await answer;
  }
}

/** What stands below an order is named by two ids. */
function idsOf(method: string): string[] {
  return method === "acceptScheduleChange" ? ["id_1", "id_1"] : ["id_1"];
}

function isIterable(answer: unknown): answer is AsyncIterable<unknown> {
  return typeof answer === "object" && answer !== null && Symbol.asyncIterator in answer;
}

test("every operation of the document has a method, and no method calls anything else", async (context) => {
  const on = await stage(context, [json(200, ANY)]);
  await callEverything(on.client);
  const called = new Set(on.received.map(({ method, url }) => `${method} ${url.split("?")[0]}`));
  const documented = Object.values(OPERATIONS).map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, "id_1")}`);

  assert.ok(documented.length >= 43);
  assert.deepEqual([...called].sort(), documented.sort());
});

test("writes carry a key, a body and who speaks; reads carry neither key nor body", async (context) => {
  const on = await stage(context, [json(200, {})], { userAgent: "my-shop/2.1" });
  await on.client.flights.orders.create(ORDER, { customerRef: "sbx_slow" });
  await on.client.flights.orders.list({ limit: 5, status: "ticketed" });
  const [write, read] = on.received;

  assert.deepEqual(
    [write?.headers["content-type"], write?.headers["x-partner-customer-ref"], write?.headers.authorization],
    ["application/json", "sbx_slow", `Bearer ${API_KEY}`],
  );
  assert.match(String(write?.headers["user-agent"]), new RegExp(`^travel-partner-typescript/${VERSION} .*my-shop/2.1$`));
  assert.deepEqual([read?.url, read?.body], ["/v1/flights/orders?limit=5&status=ticketed", ""]);
  assert.deepEqual([read?.headers["content-type"], read?.headers["idempotency-key"]], [undefined, undefined]);
});

test("an id stays one part of the path", async (context) => {
  const on = await stage(context, [json(200, {})]);
  await on.client.hotels.bookings.get("a/b?c#d é");

  assert.equal(on.received[0]?.url, "/v1/hotels/bookings/a%2Fb%3Fc%23d%20%C3%A9");
  for (const id of ["", ".", ".."]) await assert.rejects(on.client.hotels.bookings.get(id), TypeError);
  assert.equal(on.received.length, 1);
});

test("a header that cannot be sent is the caller's error, and nothing is sent", async (context) => {
  const on = await stage(context, [json(201, {})]);

  for (const value of ["trip\r\nX-A: 1", "trip-4711\n", "trip-4711 ", "trip\t4711", "trip-4711é", "Łódź"]) {
    await assert.rejects(on.client.flights.orders.create(ORDER, { idempotencyKey: value }), /^TypeError: idempotencyKey must/);
    await assert.rejects(on.client.flights.orders.create(ORDER, { customerRef: value }), /^TypeError: customerRef must/);
  }
  assert.deepEqual([on.received.length, on.time.waits], [0, []]);
});

test("the base URL may end in the version", async (context) => {
  const on = await stage(context, [json(200, {})]);
  for (const end of ["", "/", "/v1", "/v1/", "//v1//", "/v1\n"]) {
    await new TravelPartner({ apiKey: API_KEY, baseUrl: on.url + end }).ping();
    await new TravelPartner({ apiKey: API_KEY, baseUrl: `${on.url}/proxy${end}` }).ping();
    assert.deepEqual(
      on.received.splice(0).map(({ url }) => url),
      ["/v1/ping", "/proxy/v1/ping"],
    );
  }
});

test("a host may be named as the version", async () => {
  const asked: string[] = [];
  const send = (url: unknown): Promise<Response> => {
    asked.push(url as string);
    return Promise.resolve(Response.json({}));
  };
  await new TravelPartner({ apiKey: API_KEY, baseUrl: "https://v1", fetch: send }).ping();

  assert.deepEqual(asked, ["https://v1/v1/ping"]);
});

test("white space around the API key does no harm", async (context) => {
  const on = await stage(context, [json(200, {})], { apiKey: `${API_KEY}\n` });
  await on.client.account.get();

  assert.equal(on.received[0]?.headers.authorization, `Bearer ${API_KEY}`);
});

test("the base URL may have a path and a slash at its end, and nothing else", async (context) => {
  const on = await stage(context, [json(200, {})]);
  await new TravelPartner({ apiKey: API_KEY, baseUrl: `${on.url}/proxy/` }).ping();

  assert.equal(on.received[0]?.url, "/proxy/v1/ping");
  for (const baseUrl of ["api.example.com", "https://ada:secret@example.com", "https://example.com/?a=1", "https://example.com/#a"]) {
    assert.throws(() => new TravelPartner({ apiKey: API_KEY, baseUrl }), TypeError);
  }
});

test("what the headers say is found beside the answer, which stays as it was sent", async (context) => {
  const headers = {
    "X-Environment": "test",
    "X-RateLimit-Limit": "60",
    "X-RateLimit-Remaining": "59",
    "X-RateLimit-Reset": "1800000000",
    "X-Search-Quota-Limit": "5000",
    "X-Search-Quota-Remaining": "4999",
    "X-Search-Quota-Reset": "1800000000",
    "X-Search-Billable": "true",
    "Idempotent-Replayed": "true",
  };
  const on = await stage(context, [json(201, { id: "fsr_1" }, headers)]);
  const search = await on.client.hotels.search({}, { idempotencyKey: "search-1" });
  const resetsAt = new Date("2027-01-15T08:00:00Z");

  assert.deepEqual(search, { id: "fsr_1" });
  const { headers: all, ...meta } = metaOf(search) ?? assert.fail("nothing is known of it");
  assert.deepEqual(meta, {
    status: 201,
    requestId: "req-1",
    environment: "test",
    rateLimit: { limit: 60, remaining: 59, resetsAt },
    searchQuota: { limit: 5000, remaining: 4999, resetsAt },
    billable: true,
    replayed: true,
    idempotencyKey: "search-1",
    attempts: 1,
  });
  assert.equal(all.get("content-type"), "application/json");
  assert.equal(metaOf({}), undefined);
});

test("the version is that of the package", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

  assert.equal(VERSION, version);
});
