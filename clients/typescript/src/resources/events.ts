import type { FeedEvent, FeedEventList } from "../generated/models.js";
import type { QueryOf } from "../operations.js";
import type { CallOptions } from "../options.js";
import type { Runtime } from "../runtime.js";
import type { Call } from "../transport.js";

export interface FollowOptions extends CallOptions {
  /** Between two looks for what is new, in milliseconds. 5 seconds is the default. */
  pauseMs?: number | undefined;
  /** End once all events so far are read, instead of waiting for more. */
  untilEmpty?: boolean | undefined;
}

export class Events {
  readonly #call: Call;
  readonly #runtime: Runtime;

  constructor(call: Call, runtime: Runtime) {
    this.#call = call;
    this.#runtime = runtime;
  }

  /** A part of the feed, oldest first; continue at `nextAfter`, also from an empty part. */
  list(query?: QueryOf<"listEvents">, options?: CallOptions): Promise<FeedEventList> {
    return this.#call("listEvents", { query }, options);
  }

  /**
   * All items of `list`, then new ones as they happen. Without `untilEmpty` it ends only by `signal`: it waits for the next event, so
   * code after the loop is not reached. Store the `id` of the last event that you processed, and continue `after` it. An empty `after`
   * starts at the oldest event.
   */
  async *follow(
    { after: begin, ...filters }: QueryOf<"listEvents"> = {},
    { pauseMs = 5_000, untilEmpty = false, ...options }: FollowOptions = {},
  ): AsyncGenerator<FeedEvent, void, undefined> {
    let after = begin;
    for (;;) {
      const { data, hasMore, nextAfter } = await this.list({ ...filters, ...(after && { after }) }, options);
      yield* data;
      after = nextAfter;
      if (hasMore) continue;
      if (untilEmpty) return;
      await this.#runtime.sleep(pauseMs, options.signal);
    }
  }
}
