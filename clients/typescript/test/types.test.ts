/** What the compiler must accept and refuse; there is little to run. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { FlightOrder, TravelPartner, WebhookEvent } from "../src/index.js";
import { ORDER } from "./misbehaving.js";

type Equal<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;

/** Each known type has its own data, and the default branch has what is not known. */
export function told(event: WebhookEvent): string {
  switch (event.type) {
    case "booking.confirmed":
      return `${event.data.bookingReference} costs ${event.data.totalCents}`;
    case "booking.cancelled":
      return `${event.data.bookingReference} is cancelled, ${event.data.refundCents} come back`;
    case "payment.refunded":
    case "esim.provisioned":
    case "webhook.test":
      return event.type;
    default: {
      const data: Record<string, unknown> = event.data;
      return `${event.type} ${JSON.stringify(data)}`;
    }
  }
}

export function calls(client: TravelPartner): void {
  const order: Promise<FlightOrder> = client.flights.orders.create(ORDER);
  void order;
  // @ts-expect-error -- the offer is missing
  void client.flights.orders.create({ passengers: ORDER.passengers, contact: ORDER.contact });
  // @ts-expect-error -- there is no such field
  void client.flights.orders.create({ ...ORDER, seat: "12A" });
  // @ts-expect-error -- there is no such status
  void client.flights.orders.list({ status: "confirmed" });
  // @ts-expect-error -- an iteration keeps the cursor itself
  void client.flights.orders.iterate({ cursor: "abc" });
  // @ts-expect-error -- a read takes no key
  void client.flights.orders.get("ford_1", { idempotencyKey: "12345678" });
}

test("an open enumeration knows its values and takes any other", () => {
  type Status = FlightOrder["status"];
  const known: Equal<Status, "pending" | "awaiting_approval" | "on_hold" | "ticketed" | "cancelled" | "failed" | (string & {})> = true;
  const tomorrow: Status = "of-tomorrow";

  assert.deepEqual([known, tomorrow], [true, "of-tomorrow"]);
});

test("an event is told by its type", () => {
  const of = (type: string, data: object): WebhookEvent => ({ type, data }) as WebhookEvent;

  assert.equal(told(of("booking.confirmed", { bookingReference: "H-1", totalCents: 5 })), "H-1 costs 5");
  assert.equal(told(of("booking.of_tomorrow", { news: 1 })), 'booking.of_tomorrow {"news":1}');
});
