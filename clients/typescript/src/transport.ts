/** One call: sent, repeated if that is safe and useful, and ended by its deadline at the latest. */

import { ConnectionError, TimeoutError, refusal } from "./errors.js";
import { readMeta, remember, type Sent } from "./meta.js";
import type { AnswerOf, OperationId, RequestOf } from "./operations.js";
import { DEFAULTS, type ClientOptions, type WriteOptions } from "./options.js";
import { prepare, type Parts, type Prepared } from "./request.js";
import { isStillRunning, waitAfter } from "./retry.js";
import { RUNTIME, type Runtime } from "./runtime.js";
import { VERSION } from "./version.js";

/** Calls an operation by its id; what resources are made of. `answers`: further statuses that are no failure. */
export type Call = <Id extends OperationId>(
  id: Id,
  request: RequestOf<Id>,
  options?: WriteOptions,
  answers?: readonly number[],
) => Promise<AnswerOf<Id>>;

/** The key is in this function's scope and nowhere else: no object that is logged or inspected has it. */
export function transport(options: ClientOptions): Call {
  const baseUrl = checkedUrl(options.baseUrl);
  const identity = { Authorization: `Bearer ${checkedKey(options.apiKey)}`, "User-Agent": userAgent(options) };
  const runtime: Runtime = { ...RUNTIME, ...options.runtime };
  const send = options.fetch ?? fetch;

  return async (id, request, callOptions = {}, answers = []) => {
    const limits = { ...DEFAULTS, ...given(options), ...given(callOptions) };
    const prepared = prepare(baseUrl, id, request as Parts, callOptions, identity);
    const endsAt = runtime.now() + limits.deadlineMs;
    let triesLeft = limits.maxRetries;
    for (let attempts = 1; ; attempts++) {
      const sent = { attempts, idempotencyKey: prepared.idempotencyKey };
      const left = endsAt - runtime.now();
      try {
        return (await attempt(prepared, sent, Math.min(limits.timeoutMs, left), callOptions.signal, answers)) as never;
      } catch (failure) {
        const wait = triesLeft > 0 ? waitAfter(failure, attempts, runtime.random()) : undefined;
        if (wait === undefined || runtime.now() + wait >= endsAt) throw failure;
        if (!isStillRunning(failure)) triesLeft--; // the first attempt has 45 seconds: longer than all further ones would wait
        await runtime.sleep(wait, callOptions.signal);
      }
    }
  };

  async function attempt(
    { url, init, files }: Prepared,
    sent: Sent,
    milliseconds: number,
    signal: AbortSignal | undefined,
    answers: readonly number[],
  ): Promise<unknown> {
    signal?.throwIfAborted();
    const timeout = runtime.timeout(milliseconds);
    let response: Response;
    let content: Uint8Array;
    try {
      response = await send(url, {
        ...init,
        redirect: "manual", // a followed POST may become a GET
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      content = new Uint8Array(await response.arrayBuffer()); // fails where the answer breaks off
    } catch (cause) {
      signal?.throwIfAborted();
      if (timeout.aborted) throw new TimeoutError(`No answer within ${Math.round(milliseconds)} ms`, sent, { cause });
      throw new ConnectionError("The connection failed before the whole answer was there", sent, { cause });
    }
    const meta = readMeta(response, sent);
    // A proxy's page has no name. Of the service's own answers only files have one.
    const isFile = files && response.ok && response.headers.has("Content-Disposition");
    const body = isFile ? content : parsed(new TextDecoder().decode(content));
    if (!response.ok && !answers.includes(response.status)) throw refusal(body, meta);
    // Only a deletion has no body. From another call, an empty response is a proxy's, and the outcome is not known.
    const toldNothing = typeof body !== "object" || body === null;
    if (toldNothing && !(init.method === "DELETE" && response.status === 204)) {
      throw new ConnectionError(`The answer with status ${response.status} is not a JSON object`, sent);
    }
    remember(body, meta);
    return body;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Without what is undefined, which would hide a default. */
function given<Options extends object>(options: Options): { [Name in keyof Options]: NonNullable<Options[Name]> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
}

/** fetch would name a key with a line break in its error. */
function checkedKey(apiKey: string): string {
  const key = typeof apiKey === "string" ? apiKey.trim() : "";
  if (!/^[!-~]+$/.test(key)) {
    throw new TypeError("apiKey must be a key such as svc_test_…, without spaces or line breaks");
  }
  return key;
}

function checkedUrl(baseUrl: string): string {
  const url = new URL(baseUrl);
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError("baseUrl is a scheme, a host and at most a path");
  }
  return url.href.replace(/(?<![:/])\/+(v1\/*)?$/, "");
}

function userAgent({ userAgent }: ClientOptions): string {
  const platform = (globalThis as { navigator?: { userAgent?: string } }).navigator?.userAgent;
  return [`travel-partner-typescript/${VERSION}`, platform && `(${platform})`, userAgent].filter(Boolean).join(" ");
}
