/** One request as it is sent: made once per call, so that every attempt sends the same bytes. */

import { OPERATIONS } from "./generated/operations.js";
import type { OperationId } from "./operations.js";
import type { WriteOptions } from "./options.js";

export interface Parts {
  path?: Record<string, string>;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
}

export interface Prepared {
  url: string;
  init: { method: string; headers: Headers; body?: string };
  idempotencyKey: string | undefined;
  /** Whether its answer may be a file. */
  files: boolean;
}

/** Throws TypeError for what cannot be sent: an invalid id, a header with a line break. */
export function prepare(
  baseUrl: string,
  id: OperationId,
  parts: Parts,
  options: WriteOptions,
  identity: Record<string, string>,
): Prepared {
  const { method, path, keyed, files } = OPERATIONS[id];
  const idempotencyKey = keyed ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined;
  const headers = new Headers({ ...identity, Accept: "application/json" });
  if (idempotencyKey !== undefined) headers.set("Idempotency-Key", sendable("idempotencyKey", idempotencyKey));
  if (options.customerRef !== undefined) {
    headers.set("X-Partner-Customer-Ref", sendable("customerRef", options.customerRef));
  }
  const init: Prepared["init"] = { method, headers };
  if (parts.body !== undefined) {
    headers.set("Content-Type", "application/json");
    init.body = JSON.stringify(parts.body);
  }
  return { url: baseUrl + filled(path, parts.path ?? {}) + written(parts.query ?? {}), init, idempotencyKey, files };
}

/** `Headers` would cut off a line break at the end, and send another key than the one that the caller stored. */
function sendable(name: string, value: string): string {
  if (/^(?! )[ -~]*$/.test(value) && !value.endsWith(" ")) return value;
  throw new TypeError(`${name} must be printable ASCII, without line breaks and without spaces around it`);
}

function filled(path: string, ids: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name];
    // An empty id, or one of dots, would name another path: `orders/` is the listing.
    if (!id || /^\.+$/.test(id)) throw new TypeError(`${name} is ${JSON.stringify(id)}, which is no id`);
    return encodeURIComponent(id);
  });
}

function written(query: Record<string, unknown>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  if (given.length === 0) return "";
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()}`;
}
