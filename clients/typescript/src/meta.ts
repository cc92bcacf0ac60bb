/** The headers of a response. Bodies stay as the service sent them; `metaOf(order)` returns the headers that belong to one. */

export interface Meta {
  /** HTTP status. 200 for an eSIM order means that your externalReference was used before, 201 that the order is new. */
  status: number;
  /** Tell it to support. */
  requestId: string | undefined;
  environment: "test" | "live" | (string & {}) | undefined;
  /** The running minute of the operation's rate class. */
  rateLimit: Limit | undefined;
  /** The day's searches. */
  searchQuota: Limit | undefined;
  /** Whether the call counted against the day's searches. */
  billable: boolean;
  /** Whether this is the stored answer of an earlier call with the same Idempotency-Key. */
  replayed: boolean;
  idempotencyKey: string | undefined;
  /** How many attempts it took. */
  attempts: number;
  /** All headers of the answer. */
  headers: Headers;
}

export interface Limit {
  limit: number;
  remaining: number;
  resetsAt: Date;
}

export interface Sent {
  attempts: number;
  idempotencyKey: string | undefined;
}

const known = new WeakMap<object, Meta>();

/** The headers of a response of this client; undefined for any other object. */
export function metaOf(answer: object): Meta | undefined {
  return known.get(answer);
}

export function remember(answer: unknown, meta: Meta): void {
  if (typeof answer === "object" && answer !== null) known.set(answer, meta);
}

export function readMeta(response: Response, sent: Sent): Meta {
  const { headers, status } = response;
  return {
    status,
    requestId: headers.get("X-Request-Id") ?? undefined,
    environment: headers.get("X-Environment") ?? undefined,
    rateLimit: limit(headers, "X-RateLimit"),
    searchQuota: limit(headers, "X-Search-Quota"),
    billable: headers.get("X-Search-Billable") === "true",
    replayed: headers.get("Idempotent-Replayed") === "true",
    ...sent,
    headers,
  };
}

function limit(headers: Headers, prefix: string): Limit | undefined {
  const [limit, remaining, reset] = ["Limit", "Remaining", "Reset"].map((name) => headers.get(`${prefix}-${name}`));
  if (!limit || !remaining || !reset) return undefined;
  return { limit: Number(limit), remaining: Number(remaining), resetsAt: new Date(Number(reset) * 1000) };
}
