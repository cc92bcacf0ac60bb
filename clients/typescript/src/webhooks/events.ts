/** The event of a delivery. `switch (event.type)` finds the fields of each type; the default branch has types that are newer than this package. */

import type { webhooks } from "../generated/openapi.js";

type BodyOf<Delivery> = Delivery extends { post: { requestBody: { content: { "application/json": infer Body } } } }
  ? Body
  : never;

export type KnownWebhookEvent = { [Type in keyof webhooks]: BodyOf<webhooks[Type]> }[keyof webhooks];

/**
 * Stands for every type that this version does not know. There is no such value: at run time `type` is the text that was sent.
 * Only a literal of its own lets the compiler tell known events apart; `const type: string = event.type` reads the text.
 */
declare enum UnknownType {
  any = "a type that this version does not know",
}

/** An event of a type that is newer than this package. */
export interface UnknownWebhookEvent {
  id: string;
  type: UnknownType;
  createdAt: string;
  environment: "test" | "live" | (string & {});
  data: Record<string, unknown>;
}

export type WebhookEvent = KnownWebhookEvent | UnknownWebhookEvent;
