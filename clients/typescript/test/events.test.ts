import assert from "node:assert/strict";
import { test } from "node:test";
import { EventForgottenError } from "../src/index.js";
import { json, refused, reset, stage } from "./misbehaving.js";

const FIRST = json(200, { data: [{ id: "evt_1" }, { id: "evt_2" }], hasMore: true, nextAfter: "evt_2" });
const NOTHING = json(200, { data: [], hasMore: false, nextAfter: "evt_2" });
const THIRD = json(200, { data: [{ id: "evt_3" }], hasMore: false, nextAfter: "evt_3" });

test("following waits for what is new and goes on after what it had", async (context) => {
  const on = await stage(context, [FIRST, NOTHING, reset, THIRD]);
  const ids: string[] = [];
  for await (const event of on.client.events.follow({ type: "payment.refunded" }, { pauseMs: 7_000 })) {
    ids.push(event.id);
    if (event.id === "evt_3") break;
  }

  assert.deepEqual(ids, ["evt_1", "evt_2", "evt_3"]);
  assert.equal(on.time.waits[0], 7_000);
  const urls = on.received.map(({ url }) => url);
  assert.equal(urls[0], "/v1/events?type=payment.refunded");
  assert.equal(urls[3], "/v1/events?type=payment.refunded&after=evt_2");
});

test("an empty position, as a store has it in the beginning, follows from the oldest", async (context) => {
  const on = await stage(context, [FIRST]);
  const { value } = await on.client.events.follow({ after: "", limit: 100 }).next();

  assert.equal(value?.id, "evt_1");
  assert.equal(on.received[0]?.url, "/v1/events?limit=100"); // the service refuses `after=`
});

test("following until there is nothing left ends there, and not at an empty page that has more", async (context) => {
  const filtered = json(200, { data: [], hasMore: true, nextAfter: "evt_0" });
  const on = await stage(context, [filtered, FIRST, NOTHING, THIRD]);
  const ids: string[] = [];
  for await (const event of on.client.events.follow({}, { untilEmpty: true })) ids.push(event.id);

  assert.deepEqual(ids, ["evt_1", "evt_2"]);
  assert.deepEqual([on.received.length, on.time.waits], [3, []]);
});

test("a forgotten event ends it and names the oldest", async (context) => {
  const on = await stage(context, [refused(410, "event_forgotten", {}, { oldest: "evt_8" })]);

  await assert.rejects(on.client.events.follow({ after: "evt_1" }).next(), (error) => {
    assert.ok(error instanceof EventForgottenError);
    assert.equal(error.oldest, "evt_8");
    return true;
  });
});
