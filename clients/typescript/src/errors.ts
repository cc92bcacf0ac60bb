/** What this package throws. A refusal of the service has one class for each `error.type`; a type that is newer than this package is an ApiError. */

import type { Meta } from "./meta.js";

export class TravelPartnerError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** No response that could be read. A write may have happened: call again with `idempotencyKey`, and nothing is done twice. */
export class ConnectionError extends TravelPartnerError {
  readonly idempotencyKey: string | undefined;
  readonly attempts: number;

  constructor(message: string, sent: { idempotencyKey: string | undefined; attempts: number }, options?: ErrorOptions) {
    super(message, options);
    this.idempotencyKey = sent.idempotencyKey;
    this.attempts = sent.attempts;
  }
}

/** The last attempt took longer than `timeoutMs`, or the call longer than `deadlineMs`. */
export class TimeoutError extends ConnectionError {}

/** A delivery that is not genuine, or too old. Respond with 400. */
export class WebhookVerificationError extends TravelPartnerError {}

/** One field that is wrong, for instance `slices.0.origin`. */
export interface ErrorDetail {
  field: string;
  message: string;
}

/** The service refused the call. */
export class ApiError extends TravelPartnerError {
  /** Decide by this, or by the class; messages may change. */
  readonly type: ErrorType;
  readonly status: number;
  /** Quote it to support. */
  readonly requestId: string | undefined;
  /** What is wrong, field by field, where the request was not valid. */
  readonly details: readonly ErrorDetail[];
  /** A page about this error. */
  readonly docUrl: string | undefined;
  /** All further fields of the error. */
  readonly extras: Readonly<Record<string, unknown>>;
  /** The key that was sent. If the outcome is open (5xx), a call with the same key finishes what this one started. */
  readonly idempotencyKey: string | undefined;
  readonly attempts: number;
  /** Limits and headers of the answer. */
  declare readonly meta: Meta;

  constructor(body: Readonly<Record<string, unknown>>, meta: Meta) {
    const { type, message, requestId: _, details, docUrl, ...extras } = body;
    super(typeof message === "string" ? message : `HTTP ${meta.status} without a readable error`);
    this.type = typeof type === "string" ? type : "unknown";
    this.status = meta.status;
    this.requestId = meta.requestId;
    this.details = Array.isArray(details) ? (details as ErrorDetail[]) : [];
    this.docUrl = typeof docUrl === "string" ? docUrl : undefined;
    this.extras = extras;
    this.idempotencyKey = meta.idempotencyKey;
    this.attempts = meta.attempts;
    Object.defineProperty(this, "meta", { value: meta, enumerable: false }); // a log shows the rest
  }

  /** Seconds to wait before the next call, if the service asks for it. */
  get retryAfter(): number | undefined {
    return retryAfterSeconds(this.meta.headers);
  }
}

// 400
export class InvalidRequestError extends ApiError {}
export class IdempotencyKeyRequiredError extends ApiError {}
// 401
export class AuthenticationRequiredError extends ApiError {}
export class InvalidApiKeyError extends ApiError {}
export class ApiKeyRevokedError extends ApiError {}
export class ApiKeyExpiredError extends ApiError {}
/** The key is fine, the base URL is wrong. */
export class WrongEnvironmentError extends ApiError {}
// 402
export class InsufficientFundsError extends ApiError {
  get availableCents(): number {
    return this.extras["availableCents"] as number;
  }
  get requiredCents(): number {
    return this.extras["requiredCents"] as number;
  }
  get currency(): string {
    return this.extras["currency"] as string;
  }
}
/** It would exceed what this key may spend. `resetsAt` is `null` if waiting does not help. */
export class SpendLimitExceededError extends ApiError {
  get limit(): string {
    return this.extras["limit"] as string;
  }
  get limitCents(): number {
    return this.extras["limitCents"] as number;
  }
  get usedCents(): number {
    return this.extras["usedCents"] as number;
  }
  get resetsAt(): string | null {
    return this.extras["resetsAt"] as string | null;
  }
}
export class PaymentFailedError extends ApiError {}
// 403
export class AccountNotActiveError extends ApiError {}
export class InsufficientScopeError extends ApiError {
  get missingScope(): string {
    return this.extras["missingScope"] as string;
  }
}
export class IpNotAllowedError extends ApiError {}
/** The service does not sell this product, or not to live keys. */
export class ProductNotOfferedError extends ApiError {
  get product(): string {
    return this.extras["product"] as string;
  }
}
// 404, 405
export class NotFoundError extends ApiError {}
export class MethodNotAllowedError extends ApiError {}
// 409
export class ConflictError extends ApiError {
  /** The booking that already has this externalReference. */
  get bookingId(): string | undefined {
    return this.extras["bookingId"] as string | undefined;
  }
}
export class IdempotencyKeyReuseError extends ApiError {}
export class IdempotencyKeyInProgressError extends ApiError {}
/** Nothing was booked. */
export class PriceChangedError extends ApiError {
  get previousTotalCents(): number {
    return this.extras["previousTotalCents"] as number;
  }
  get currentTotalCents(): number {
    return this.extras["currentTotalCents"] as number;
  }
  get currency(): string {
    return this.extras["currency"] as string;
  }
}
/** The airline no longer sells this bag or seat; nothing was booked. `serviceId` is `null` if the airline does not name it. */
export class ServiceUnavailableError extends ApiError {
  get serviceId(): string | null {
    return this.extras["serviceId"] as string | null;
  }
}
// 410, 413, 415, 429
/** Search again. */
export class OfferExpiredError extends ApiError {}
/** Read the feed from its oldest event, without `after`; earlier events are gone. */
export class EventForgottenError extends ApiError {
  get oldest(): string | null {
    return this.extras["oldest"] as string | null;
  }
}
/** A booking whose travellers were forgotten has no documents. */
export class TravellersForgottenError extends ApiError {}
export class PayloadTooLargeError extends ApiError {}
export class UnsupportedMediaTypeError extends ApiError {}
/** The limit per minute if there is a `retryAfter`, else the day's search quota. */
export class RateLimitExceededError extends ApiError {}
// 5xx
export class InternalError extends ApiError {}
/** The supplier refused; nothing was booked. */
export class UpstreamError extends ApiError {}
/** No response from the supplier. A call with the same Idempotency-Key returns the outcome, and never books twice. */
export class UpstreamUnavailableError extends ApiError {}

const CLASSES = {
  invalid_request: InvalidRequestError,
  idempotency_key_required: IdempotencyKeyRequiredError,
  authentication_required: AuthenticationRequiredError,
  invalid_api_key: InvalidApiKeyError,
  api_key_revoked: ApiKeyRevokedError,
  api_key_expired: ApiKeyExpiredError,
  wrong_environment: WrongEnvironmentError,
  insufficient_funds: InsufficientFundsError,
  spend_limit_exceeded: SpendLimitExceededError,
  payment_failed: PaymentFailedError,
  account_not_active: AccountNotActiveError,
  insufficient_scope: InsufficientScopeError,
  product_not_offered: ProductNotOfferedError,
  ip_not_allowed: IpNotAllowedError,
  not_found: NotFoundError,
  method_not_allowed: MethodNotAllowedError,
  conflict: ConflictError,
  idempotency_key_reuse: IdempotencyKeyReuseError,
  idempotency_key_in_progress: IdempotencyKeyInProgressError,
  price_changed: PriceChangedError,
  service_unavailable: ServiceUnavailableError,
  offer_expired: OfferExpiredError,
  event_forgotten: EventForgottenError,
  travellers_forgotten: TravellersForgottenError,
  payload_too_large: PayloadTooLargeError,
  unsupported_media_type: UnsupportedMediaTypeError,
  rate_limit_exceeded: RateLimitExceededError,
  internal_error: InternalError,
  upstream_error: UpstreamError,
  upstream_unavailable: UpstreamUnavailableError,
};

/** The types known to this package, and any newer one. */
export type ErrorType = keyof typeof CLASSES | (string & {});

/** The error of a response; if it is no envelope, such as a proxy's page, an ApiError of type `unknown`. */
export function refusal(body: unknown, meta: Meta): ApiError {
  const error = isObject(body) && isObject(body["error"]) ? body["error"] : {};
  const type = error["type"];
  const known = typeof type === "string" && Object.hasOwn(CLASSES, type);
  return new (known ? CLASSES[type as keyof typeof CLASSES] : ApiError)(error, meta);
}

/** Seconds, also where a proxy wrote a date. */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const said = headers.get("Retry-After");
  if (said === null) return undefined;
  const seconds = /^\d+$/.test(said) ? Number(said) : (Date.parse(said) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
