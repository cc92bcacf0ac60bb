/** The two signatures of a delivery, each by itself enough. Web Crypto compares in constant time. */

import { WebhookVerificationError } from "../errors.js";

export type Scheme = "standard" | "service";

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** What a scheme's headers say: what was signed in front of the body, when, and by which signatures. */
interface Claim {
  prefix: string;
  timestamp: string;
  signatures: readonly Uint8Array[]; // its type argument is unknown to the compilers of some partners
}

const HMAC = { name: "HMAC", hash: "SHA-256" };
const encoder = new TextEncoder();

/** Which scheme's headers there are; Standard Webhooks where there are both. */
export function schemeOf(headers: WebhookHeaders): Scheme {
  return header(headers, "webhook-signature") === undefined ? "service" : "standard";
}

export function claim(headers: WebhookHeaders, scheme: Scheme): Claim {
  return scheme === "standard" ? standardClaim(headers) : serviceClaim(headers);
}

/** `webhook-signature: v1,<base64> v1,<base64>` over `<webhook-id>.<webhook-timestamp>.<body>`. */
function standardClaim(headers: WebhookHeaders): Claim {
  const id = header(headers, "webhook-id") ?? "";
  const timestamp = header(headers, "webhook-timestamp") ?? "";
  const values = (header(headers, "webhook-signature") ?? "").split(" ").filter((value) => value.startsWith("v1,"));
  return { prefix: `${id}.${timestamp}.`, timestamp, signatures: values.flatMap((value) => bytesOf(value.slice(3))) };
}

/** `X-Service-Signature: t=<seconds>,v1=<hex>,v1=<hex>` over `<t>.<body>`. */
function serviceClaim(headers: WebhookHeaders): Claim {
  const fields = (header(headers, "x-service-signature") ?? "").split(",").map((field) => field.split("="));
  const timestamp = fields.find(([name]) => name === "t")?.[1] ?? "";
  const values = fields.flatMap(([name, value]) => (name === "v1" && value && /^[0-9a-f]{64}$/.test(value) ? [value] : []));
  return { prefix: `${timestamp}.`, timestamp, signatures: values.map(bytesOfHex) };
}

/** Whether one of the signatures was made with one of the secrets: while a secret rotates there are two of each. */
export async function isSigned(
  { prefix, signatures }: Claim,
  body: Uint8Array,
  secrets: readonly string[],
  scheme: Scheme,
): Promise<boolean> {
  const signed = joined(encoder.encode(prefix), body);
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey("raw", keyOf(secret, scheme), HMAC, false, ["verify"]);
    for (const signature of signatures) {
      if (await crypto.subtle.verify("HMAC", key, signature as BufferSource, signed)) return true;
    }
  }
  return false;
}

/** Standard Webhooks sign with the bytes that the base64 after `whsec_` stands for, X-Service-Signature with the whole text. */
function keyOf(secret: string, scheme: Scheme): Uint8Array<ArrayBuffer> {
  const [bytes] = secret.startsWith("whsec_") ? bytesOf(secret.slice(6)) : [];
  if (!bytes?.length) throw new WebhookVerificationError("A signing secret is whsec_ and base64");
  return scheme === "standard" ? bytes : encoder.encode(secret);
}

function header(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([spelled]) => spelled.toLowerCase() === name)?.[1];
  return typeof found === "string" ? found : found?.join(",");
}

function joined(prefix: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(prefix.length + body.length);
  whole.set(prefix);
  whole.set(body, prefix.length);
  return whole;
}

/** None where it is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer>[] {
  try {
    return [Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))];
  } catch {
    return [];
  }
}

function bytesOfHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
