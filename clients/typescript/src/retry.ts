/** Whether a call is repeated, and when. All attempts of a write have the same Idempotency-Key, so none is done twice. */

import { ApiError, ConnectionError } from "./errors.js";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** If the service asks for a longer wait, the call fails with it. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/** Milliseconds before the next attempt; undefined if no attempt is left. `chance` is from 0 to 1. */
export function waitAfter(failure: unknown, attempt: number, chance: number): number | undefined {
  if (!mayPass(failure)) return undefined;
  const asked = failure instanceof ApiError ? (failure.retryAfter ?? 0) * 1000 : 0;
  if (asked > LONGEST_RETRY_AFTER_MS) return undefined;
  return asked + chance * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1)); // full jitter
}

function mayPass(failure: unknown): boolean {
  if (failure instanceof ConnectionError) return true;
  if (!(failure instanceof ApiError)) return false;
  if (failure.status === 429) return failure.retryAfter !== undefined; // without it the day's quota is used up
  return failure.status >= 500 || failure.status === 408 || isStillRunning(failure);
}

/** Whether an earlier attempt with the same Idempotency-Key is still running. */
export function isStillRunning(failure: unknown): boolean {
  return failure instanceof ApiError && failure.type === "idempotency_key_in_progress";
}
