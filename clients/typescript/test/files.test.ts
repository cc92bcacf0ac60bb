import assert from "node:assert/strict";
import { test } from "node:test";
import { ConnectionError, TravellersForgottenError, metaOf } from "../src/index.js";
import { halfABody, notJson, refused, stage, type Behaviour } from "./misbehaving.js";

const PDF = Buffer.from([0x25, 0x50, 0x44, 0x46, 0x00, 0xff, 0xfe]);
const file: Behaviour = (response) => {
  const disposition = 'attachment; filename="voucher-H-7KQ2M9XD.pdf"';
  response.writeHead(200, { "Content-Type": "application/pdf", "Content-Disposition": disposition, "X-Request-Id": "req-1" });
  response.end(PDF);
};

test("a document is bytes, as they were sent, after a try that broke off", async (context) => {
  const on = await stage(context, [halfABody, file]);
  const voucher = await on.client.hotels.bookings.document("hbk_1", { type: "voucher", language: "de" });

  assert.deepEqual(Buffer.from(voucher), PDF);
  assert.equal(on.received[1]?.url, "/v1/hotels/bookings/hbk_1/document?type=voucher&language=de");
  assert.deepEqual([metaOf(voucher)?.requestId, metaOf(voucher)?.attempts], ["req-1", 2]);
});

test("a statement is a file where one is asked for", async (context) => {
  const on = await stage(context, [file]);

  assert.deepEqual(Buffer.from(await on.client.account.statements.download("2027-01", "csv")), PDF);
  assert.equal(on.received[0]?.url, "/v1/account/statements/2027-01?format=csv");
});

test("the page of a proxy is no document", async (context) => {
  const on = await stage(context, [notJson], { maxRetries: 0 });

  await assert.rejects(on.client.esim.orders.document("esord_1"), ConnectionError);
});

test("a refusal of a document is that of any call", async (context) => {
  const on = await stage(context, [refused(410, "travellers_forgotten")]);

  await assert.rejects(on.client.flights.orders.document("ford_1"), TravellersForgottenError);
});
