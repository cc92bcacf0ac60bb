/** From a request that anybody may have sent to an event that the service did send. */

import { WebhookVerificationError } from "../errors.js";
import type { WebhookEvent } from "./events.js";
import { claim, isSigned, schemeOf, type Scheme, type WebhookHeaders } from "./signatures.js";

export interface VerifyOptions {
  /** The bytes of the body as received: a body that was parsed and serialized again differs. */
  body: string | Uint8Array | ArrayBuffer;
  headers: WebhookHeaders;
  /** The endpoint's `whsec_…`, or several: of several endpoints, or of before and after a rotation. */
  secret: string | readonly string[];
  /** How old or how far ahead a delivery may be. 300 is the default; 0 or more, and finite. */
  toleranceSeconds?: number | undefined;
  /** `standard` (`webhook-signature`) or `service` (`X-Service-Signature`). Left out: the one that is there. */
  scheme?: Scheme | undefined;
  /** Unix time in milliseconds, for tests. */
  now?: (() => number) | undefined;
}

/**
 * The event of a genuine delivery. Throws WebhookVerificationError for any other, and TypeError for an invalid tolerance.
 * A delivery may come twice: work on each `event.id` once.
 */
export async function verifyWebhook(options: VerifyOptions): Promise<WebhookEvent> {
  const { headers, secret, toleranceSeconds = 300, scheme = schemeOf(headers), now = Date.now } = options;
  if (!Number.isFinite(toleranceSeconds) || toleranceSeconds < 0) {
    throw new TypeError("toleranceSeconds must be a number of seconds: 0 or more, and finite");
  }
  const body = bytes(options.body);
  const claimed = claim(headers, scheme);
  if (claimed.signatures.length === 0) throw new WebhookVerificationError("The delivery has no signature");
  if (!/^\d{1,12}$/.test(claimed.timestamp)) throw new WebhookVerificationError("The delivery has no timestamp");
  const isNear = Math.abs(now() / 1000 - Number(claimed.timestamp)) <= toleranceSeconds; // false also for NaN
  if (!isNear) {
    throw new WebhookVerificationError("The delivery's timestamp is too far from now");
  }
  const secrets = (typeof secret === "string" ? [secret] : secret).map((one) => one.trim());
  if (!(await isSigned(claimed, body, secrets, scheme))) {
    throw new WebhookVerificationError("No signature was made with this secret and this body");
  }
  return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
}

function bytes(body: VerifyOptions["body"]): Uint8Array {
  if (typeof body === "string") return new TextEncoder().encode(body);
  return body instanceof Uint8Array ? body : new Uint8Array(body);
}
