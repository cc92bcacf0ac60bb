/** The real timers; each test ends with one, whenever that is. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { TimeoutError, TravelPartner } from "../src/index.js";
import { RUNTIME } from "../src/runtime.js";
import { API_KEY, stage } from "./misbehaving.js";

test("a deadline that is no round number ends a call", async (context) => {
  const { url } = await stage(context, [() => undefined]);
  const client = new TravelPartner({ apiKey: API_KEY, baseUrl: url, deadlineMs: 1.5 });

  await assert.rejects(client.ping(), TimeoutError);
});

test("a timeout may be endless or over", async () => {
  assert.equal(RUNTIME.timeout(Infinity).aborted, false);
  const over = RUNTIME.timeout(-1);
  if (!over.aborted) await new Promise((resolve) => over.addEventListener("abort", resolve));
  assert.equal((over.reason as Error).name, "TimeoutError");
});

test("a sleep ends by itself, or by the signal with its reason", async () => {
  const reason = new Error("enough");
  const stopping = new AbortController();
  await RUNTIME.sleep(0, undefined);
  await RUNTIME.sleep(0, stopping.signal);
  const long = RUNTIME.sleep(3_600_000, stopping.signal);
  stopping.abort(reason);

  await assert.rejects(long, reason);
  await assert.rejects(RUNTIME.sleep(3_600_000, stopping.signal), reason);
});
