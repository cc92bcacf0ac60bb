export { TravelPartner } from "./client.js";
export * from "./errors.js";
export { ApiError } from "./errors.js"; // the document has a type of this name too
export type * from "./generated/openapi.js";
export { metaOf, type Limit, type Meta } from "./meta.js";
export type { CallOptions, ClientOptions, Limits, SandboxTrigger, WriteOptions } from "./options.js";
export type { Runtime } from "./runtime.js";
export type { KnownWebhookEvent, UnknownWebhookEvent, WebhookEvent } from "./webhooks/events.js";
export type { Scheme, WebhookHeaders } from "./webhooks/signatures.js";
export { verifyWebhook, type VerifyOptions } from "./webhooks/verify.js";
export { VERSION } from "./version.js";
