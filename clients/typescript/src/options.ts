/** What a caller may choose, once for the client or for one call. */

import type { Runtime } from "./runtime.js";

export interface Limits {
  /** Longest wait for one attempt, in milliseconds. The service ends a booking within 45 seconds, so 60 seconds is the default. */
  timeoutMs?: number | undefined;
  /** Longest time for a call with all its attempts and the waits between them. 180 seconds is the default. */
  deadlineMs?: number | undefined;
  /** Further attempts after the first one. 3 is the default, 0 means none. Those that find the first still running do not count. */
  maxRetries?: number | undefined;
}

export interface ClientOptions extends Limits {
  /** `svc_test_…` or `svc_live_…`. The key decides the environment. */
  apiKey: string;
  /** Where the service is, for instance `https://api.example.com`, with or without `/v1` at its end. */
  baseUrl: string;
  /** Added to `User-Agent`, for instance `my-shop/2.1`. */
  userAgent?: string | undefined;
  /** Another `fetch`, for a proxy or for tests. */
  fetch?: typeof fetch | undefined;
  /** Clock, timers and chance, for tests. */
  runtime?: Partial<Runtime> | undefined;
}

export type SandboxTrigger =
  | "sbx_offer_expired"
  | "sbx_price_changed"
  | "sbx_insufficient_funds"
  | "sbx_payment_failed"
  | "sbx_supplier_error"
  | "sbx_slow";

export interface CallOptions extends Limits {
  /** Ends the call at once. What a write had begun may still happen: repeat it with the same Idempotency-Key to learn that. */
  signal?: AbortSignal | undefined;
  /** `X-Partner-Customer-Ref`. With a test key, a sandbox trigger makes one failure happen for certain. */
  customerRef?: SandboxTrigger | (string & {}) | undefined;
}

export interface WriteOptions extends CallOptions {
  /** 8 to 255 characters of printable ASCII. If left out, one is generated; all attempts of the call have the same key. */
  idempotencyKey?: string | undefined;
}

export const DEFAULTS = { timeoutMs: 60_000, deadlineMs: 180_000, maxRetries: 3 } as const;
