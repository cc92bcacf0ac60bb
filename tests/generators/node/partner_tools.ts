// What the TypeScript programs share: what they were told, and what a receiver does with a delivery.
import { readFileSync } from "node:fs";
import { Webhook, WebhookVerificationError } from "standardwebhooks";

export const baseUrl = told("BASE_URL");
export const apiKey = told("API_KEY");
export const newKey = (): string => crypto.randomUUID();
export const dayAhead = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

type BookingEvent = { type: string; data: { bookingId: string } };

/** Verifies the delivery that the service sent, and refuses it with one word changed. */
export function delivered<Event extends BookingEvent>() {
  const { secret, headers, body } = JSON.parse(readFileSync(told("DELIVERY"), "utf8")) as {
    secret: string;
    headers: Record<string, string>;
    body: string;
  };
  const webhook = new Webhook(secret);
  const event = webhook.verify(body, headers) as Event;
  return {
    event: { type: event.type, bookingId: event.data.bookingId },
    forgedIsRefused: isRefused(() => webhook.verify(body.replace("confirmed", "cancelled"), headers)),
  };
}

function isRefused(verify: () => unknown): boolean {
  try {
    verify();
    return false;
  } catch (error) {
    return error instanceof WebhookVerificationError;
  }
}

function told(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}
