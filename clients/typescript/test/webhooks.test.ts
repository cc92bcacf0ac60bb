import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { WebhookVerificationError, verifyWebhook, type VerifyOptions, type WebhookEvent } from "../src/index.js";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
const NOW = 1_800_000_000;
const BODY = '{"id":"evt_1","type":"booking.confirmed","data":{"bookingReference":"H-7KQ2M9XD","note":"é"}}';
const SCHEMES = ["standard", "service"] as const;

/** As the service signs, by means of another library than the one under test. */
function signed(secrets: string[], body = BODY, timestamp = NOW): Record<string, string> {
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(6), "base64");
    return `v1,${createHmac("sha256", key).update(`evt_1.${timestamp}.${body}`).digest("base64")}`;
  });
  const service = secrets.map((secret) => `v1=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`);
  return {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(timestamp),
    "webhook-signature": standard.join(" "),
    "X-Service-Signature": [`t=${timestamp}`, ...service].join(","),
  };
}

function verify(given: Partial<VerifyOptions> = {}): Promise<WebhookEvent> {
  return verifyWebhook({ body: BODY, headers: signed([SECRET]), secret: SECRET, now: () => NOW * 1000, ...given });
}

for (const scheme of SCHEMES) {
  test(`${scheme}: a genuine delivery becomes its event`, async () => {
    assert.deepEqual(await verify({ scheme }), JSON.parse(BODY));
  });

  test(`${scheme}: body and headers come in many forms`, async () => {
    const bytes = new TextEncoder().encode(BODY);
    const headers = signed([SECRET]);
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]]));
    for (const body of [BODY, bytes, bytes.buffer, Buffer.from(BODY)]) {
      for (const given of [headers, lower, new Headers(headers)]) {
        assert.equal((await verify({ scheme, body, headers: given })).id, "evt_1");
      }
    }
  });

  test(`${scheme}: while a secret rotates, the old one and the new one verify`, async () => {
    const headers = signed([OTHER, SECRET]);
    assert.equal((await verify({ scheme, headers })).id, "evt_1");
    assert.equal((await verify({ scheme, headers, secret: OTHER })).id, "evt_1");
    assert.equal((await verify({ scheme, secret: [OTHER, SECRET] })).id, "evt_1");
  });

  test(`${scheme}: what is not ours, changed, old or ahead is refused`, async () => {
    const refused: Partial<VerifyOptions>[] = [
      { secret: OTHER },
      { secret: [] },
      { body: BODY.replace("evt_1", "evt_2") },
      { body: "" },
      { headers: signed([SECRET], BODY, NOW - 301) },
      { headers: signed([SECRET], BODY, NOW + 301) },
      { headers: {} },
      { secret: "whsec_" },
      { secret: "not a secret" },
    ];
    for (const given of refused) await assert.rejects(verify({ scheme, ...given }), WebhookVerificationError);
    assert.equal((await verify({ scheme, headers: signed([SECRET], BODY, NOW - 299) })).id, "evt_1");
    assert.equal((await verify({ scheme, headers: signed([SECRET], BODY, NOW - 900), toleranceSeconds: 900 })).id, "evt_1");
  });
}

for (const scheme of SCHEMES) {
  test(`${scheme}: white space around a secret does no harm, as it is read from a file`, async () => {
    for (const secret of [`${SECRET}\n`, ` ${SECRET}\r\n`, [`${OTHER}\n`, `${SECRET}\n`]]) {
      assert.equal((await verify({ scheme, secret })).id, "evt_1");
    }
  });

  test(`${scheme}: a tolerance that is no finite number of seconds is the caller's error, however old the delivery`, async () => {
    for (const toleranceSeconds of [NaN, Infinity, -Infinity, -1, "300", null] as number[]) {
      const headers = signed([SECRET], BODY, 1);
      await assert.rejects(verify({ scheme, headers, toleranceSeconds }), {
        name: "TypeError",
        message: "toleranceSeconds must be a number of seconds: 0 or more, and finite",
      });
    }
    assert.equal((await verify({ scheme, toleranceSeconds: 0 })).id, "evt_1");
  });

  test(`${scheme}: where the time is not known nothing is in time`, async () => {
    await assert.rejects(verify({ scheme, now: () => NaN }), WebhookVerificationError);
  });
}

test("nonsense in the headers is refused, never a crash", async () => {
  const timestamp = String(NOW);
  for (const value of ["", "t=", "v1=", "t=now,v1=00", `t=${NOW}`, `t=${NOW},v1=é`, "=,=,=", `t=${NOW},v1=${"0".repeat(63)}`]) {
    await assert.rejects(verify({ headers: { "x-service-signature": value } }), WebhookVerificationError);
  }
  for (const value of ["", "v1", "v1,", "v1,é", "v2,AAAA", "v1,AAAA v1,%%%"]) {
    const headers = { "webhook-id": "evt_1", "webhook-timestamp": timestamp, "webhook-signature": value };
    await assert.rejects(verify({ headers }), WebhookVerificationError);
  }
});

test("another timestamp or another id than the signed ones is refused", async () => {
  const headers = signed([SECRET]);
  await assert.rejects(verify({ headers: { ...headers, "webhook-timestamp": String(NOW - 1) } }), WebhookVerificationError);
  await assert.rejects(verify({ headers: { ...headers, "webhook-id": "evt_2" } }), WebhookVerificationError);
});

test("each scheme is taken where the other is not there", async () => {
  const { "X-Service-Signature": service = "", ...standard } = signed([SECRET]);
  assert.equal((await verify({ headers: standard })).id, "evt_1");
  assert.equal((await verify({ headers: { "X-Service-Signature": service } })).id, "evt_1");
});

test("the secret is in no error", async () => {
  await assert.rejects(verify({ secret: "whsec_%%%secret%%%" }), (error: Error) => !String(error.stack).includes("secret%%%"));
});

test("an event of tomorrow comes through as it is", async () => {
  const body = '{"id":"evt_1","type":"booking.of_tomorrow","data":{"news":1}}';
  const event = await verify({ body, headers: signed([SECRET], body) });

  assert.deepEqual(event, JSON.parse(body));
});
