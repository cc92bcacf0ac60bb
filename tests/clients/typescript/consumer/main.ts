/** A partner's program: each product once, refusals, a lost answer, pages, and deliveries that are verified in both schemes. */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import {
  ConflictError,
  InsufficientFundsError,
  InvalidRequestError,
  NotFoundError,
  PriceChangedError,
  TravelPartner,
  WebhookVerificationError,
  metaOf,
  verifyWebhook,
  type FlightOrder,
  type FlightOrderRequest,
  type HotelBookingRequest,
  type WebhookEvent,
} from "travel-partner";

const apiKey = process.env.TRAVEL_PARTNER_API_KEY ?? "";
const baseUrl = process.env.TRAVEL_PARTNER_BASE_URL ?? "";
const client = new TravelPartner({ apiKey, baseUrl, userAgent: "consumer/1" });
const run = `run-${Date.now()}`;
const day = (ahead: number): string => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
const contact = { email: "ada@example.com", phone: "+351210000000" };

function first<Item>(items: readonly Item[]): Item {
  return items[0] ?? assert.fail("there is none");
}

async function refusalOf<Kind extends Error>(kind: new (...given: never[]) => Kind, call: Promise<unknown>): Promise<Kind> {
  const error = await call.then(
    () => assert.fail(`no ${kind.name}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof kind)) throw error;
  return error;
}

async function account(): Promise<string> {
  const account = await client.account.get();
  assert.equal(metaOf(account)?.environment, "test");
  assert.equal(typeof metaOf(account)?.rateLimit?.remaining, "number");
  assert.equal((await client.ping()).status, "ok");
  assert.equal((await client.health.ready()).status, "ok");
  return account.name;
}

async function flightRequest(): Promise<FlightOrderRequest> {
  const { offers } = await client.flights.search({ origin: "LHR", destination: "JFK", departureDate: day(60) });
  const offer = await client.flights.offers.reprice(first(offers.filter(({ conditions }) => conditions.refundable)).offerId);
  return {
    offerId: offer.offerId,
    passengers: [{ firstName: "Ada", lastName: "Byron", dateOfBirth: "1990-12-10", type: "adult" }],
    contact,
    externalReference: `${run}-flight`,
  };
}

async function flight(): Promise<FlightOrder> {
  const request = await flightRequest();
  const price = await refusalOf(PriceChangedError, client.flights.orders.create(request, { customerRef: "sbx_price_changed" }));
  assert.equal(typeof price.currentTotalCents, "number");
  await refusalOf(InsufficientFundsError, client.flights.orders.create(request, { customerRef: "sbx_insufficient_funds" }));
  const wrong = await refusalOf(InvalidRequestError, client.flights.orders.create({ ...request, passengers: [] }));
  assert.equal(wrong.details[0]?.field, "passengers");

  const order = await client.flights.orders.create(request, { idempotencyKey: `${run}-order`, customerRef: "sbx_slow" });
  assert.deepEqual([order.status, metaOf(order)?.replayed], ["ticketed", false]);
  const again = await client.flights.orders.create(request, { idempotencyKey: `${run}-order` });
  assert.deepEqual([again.id, metaOf(again)?.replayed], [order.id, true]);
  const used = await refusalOf(ConflictError, client.flights.orders.create(request));
  assert.deepEqual([used.status, used.type, used.bookingId], [409, "conflict", order.id]);
  assert.equal(used.requestId, used.meta.headers.get("X-Request-Id"));
  return order;
}

/** The service books and the answer never arrives: the second try gets the answer that was stored for the first. */
async function lostAnswer(): Promise<string> {
  const keys: (string | null)[] = [];
  const losing: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    keys.push(new Headers(init?.headers).get("Idempotency-Key"));
    if (keys.length > 1) return response;
    await response.arrayBuffer();
    throw new TypeError("the answer was lost");
  };
  const unlucky = new TravelPartner({ apiKey, baseUrl, fetch: losing, runtime: { random: () => 0 } });
  const request = { ...(await flightRequest()), externalReference: `${run}-lost` };
  const order = await unlucky.flights.orders.create(request);
  assert.deepEqual([metaOf(order)?.attempts, metaOf(order)?.replayed], [2, true]);
  assert.deepEqual([keys.length, new Set(keys).size], [2, 1]);
  const booked = await client.flights.orders.list({ externalReference: `${run}-lost` });
  assert.deepEqual(booked.data.map(({ id }) => id), [order.id]);
  return order.id;
}

async function hotel(): Promise<string> {
  const { hotels } = await client.hotels.search({ checkIn: day(60), checkOut: day(62), refundableOnly: true });
  const rate = await client.hotels.rates.get(first(first(hotels).rates).rateId);
  const request: HotelBookingRequest = { rateId: rate.rateId, guests: [{ firstName: "Ada", lastName: "Byron", type: "adult" }], contact };
  const booking = await client.hotels.bookings.create(request);
  assert.deepEqual([booking.status, booking.totalCents], ["confirmed", rate.totalCents]);
  return booking.id;
}

async function transfer(): Promise<string> {
  const { offers } = await client.transfers.search({
    from: { type: "IATA", code: "BCN" },
    to: { type: "GEO", latitude: 41.39, longitude: 2.17 },
    outbound: `${day(60)}T14:30:00`,
    adults: 2,
  });
  const leadPassenger = { firstName: "Ada", lastName: "Byron", ...contact };
  const order = await client.transfers.orders.create({ quoteId: first(offers).quoteId, leadPassenger });
  return (await client.transfers.orders.cancel(order.id)).status;
}

async function esim(): Promise<number> {
  let plans = 0;
  let cheapest: string | undefined;
  for await (const plan of client.esim.plans.iterate({ country: "PT", limit: 2 })) {
    plans += 1;
    cheapest ??= plan.id;
  }
  const request = { planId: cheapest ?? assert.fail("there is no plan"), externalReference: `${run}-esim` };
  const order = await client.esim.orders.create(request);
  const same = await client.esim.orders.create(request);
  assert.deepEqual([metaOf(order)?.status, metaOf(same)?.status, same.id], [201, 200, order.id]);
  assert.equal((await client.esim.orders.usage(order.id)).orderId, order.id);
  return plans;
}

/** The newest orders, one a page, as far back as all of these. */
async function backTo(wanted: ReadonlySet<string>): Promise<string[]> {
  const ids: string[] = [];
  for await (const order of client.flights.orders.iterate({ limit: 1 })) {
    ids.push(order.id);
    if ([...wanted].every((id) => ids.includes(id))) break;
  }
  return ids;
}

/** Hears what happens during `work`, each delivery verified in both schemes, until `enough` is heard. */
async function hearing(work: () => Promise<unknown>, enough: (told: readonly string[]) => boolean): Promise<string[]> {
  const secrets: string[] = [];
  const told: string[] = [];
  let hear: () => void = () => undefined;
  const heard = new Promise<void>((resolve) => (hear = resolve));
  const server = createServer((request, response) => {
    void (async () => {
      const delivery = { body: await buffer(request), headers: request.headers, secret: secrets };
      const event = await verifyWebhook({ ...delivery, scheme: "standard" });
      assert.deepEqual(await verifyWebhook({ ...delivery, scheme: "service" }), event);
      await refusalOf(WebhookVerificationError, verifyWebhook({ ...delivery, body: `${delivery.body.toString()} ` }));
      response.writeHead(204).end();
      told.push(words(event));
      if (enough(told)) hear();
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  const events = ["booking.confirmed", "booking.cancelled", "payment.refunded"] as const;
  const endpoint = await client.webhooks.endpoints.create({ url, events: [...events] });
  secrets.push(endpoint.secret);
  await client.webhooks.endpoints.test(endpoint.id);
  await work();
  await heard;
  secrets.push((await client.webhooks.endpoints.rotateSecret(endpoint.id)).secret);
  await client.webhooks.endpoints.delete(endpoint.id);
  await refusalOf(NotFoundError, client.webhooks.endpoints.get(endpoint.id));
  server.close();
  return told.sort();
}

function words(event: WebhookEvent): string {
  switch (event.type) {
    case "booking.confirmed":
      return `confirmed ${event.data.bookingId} ${event.data.totalCents}`;
    case "booking.cancelled":
      return `cancelled ${event.data.bookingId} ${event.data.refundCents}`;
    case "payment.refunded":
      return `refunded ${event.data.bookingId} ${event.data.refundCents}`;
    default:
      return event.type;
  }
}

const name = await account();
const order = await flight();
const lost = await lostAnswer();
let booked = "";
let back = 0;
const told = await hearing(
  async () => {
    booked = await hotel();
    const cancelled = await client.flights.orders.cancel(order.id, { reason: "The traveller is ill" });
    assert.equal(cancelled.status, "cancelled");
    back = cancelled.cancellation?.refundCents ?? assert.fail("nothing came back");
  },
  (told) => told.length === 4,
);
const bookedCents = (await client.hotels.bookings.get(booked)).totalCents;
assert.deepEqual(
  told,
  [`cancelled ${order.id} ${back}`, `confirmed ${booked} ${bookedCents}`, `refunded ${order.id} ${back}`, "webhook.test"].sort(),
);
assert.deepEqual(await backTo(new Set([order.id, lost])), [lost, order.id]);
const refund = first((await client.account.ledger.list({ bookingReference: order.reference, limit: 1 })).data);
console.log(JSON.stringify({ name, transfer: await transfer(), plans: await esim(), told: told.length, refund: refund.type }));
