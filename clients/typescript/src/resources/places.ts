import type { Places } from "../generated/models.js";
import type { QueryOf } from "../operations.js";
import type { CallOptions } from "../options.js";
import type { Call } from "../transport.js";

export class PlacesResource {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Cities, airports, hotels and landmarks, by what a traveller has typed so far or by what is near. */
  search(query: QueryOf<"searchPlaces">, options?: CallOptions): Promise<Places> {
    return this.#call("searchPlaces", { query }, options);
  }
}
