import type { CallOutcome } from "../generated/models.js";
import type { QueryOf } from "../operations.js";
import type { CallOptions } from "../options.js";
import type { Call } from "../transport.js";

export class Operations {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** What became of the POST that was sent with an Idempotency-Key, and the one safe next step. */
  find(query: QueryOf<"findOperation">, options?: CallOptions): Promise<CallOutcome> {
    return this.#call("findOperation", { query }, options);
  }
}
