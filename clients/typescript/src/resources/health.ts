import type { Health, HealthReport, Readiness } from "../generated/models.js";
import type { CallOptions } from "../options.js";
import type { Call } from "../transport.js";

/** The probes. They are asked once: one that fails is the answer. */
export class HealthResource {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Whether a process answers. */
  get(options?: CallOptions): Promise<Health> {
    return this.#call("health", {}, { maxRetries: 0, ...options });
  }

  /** Whether it can serve; `metaOf` of the answer has status 503 where it cannot. */
  ready(options?: CallOptions): Promise<Readiness> {
    return this.#call("healthReady", {}, { maxRetries: 0, ...options }, [503]);
  }

  /** The state of every part. */
  full(options?: CallOptions): Promise<HealthReport> {
    return this.#call("healthFull", {}, { maxRetries: 0, ...options });
  }
}
