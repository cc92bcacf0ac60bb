import type { Ping } from "./generated/models.js";
import type { CallOptions, ClientOptions } from "./options.js";
import { AccountResource } from "./resources/account.js";
import { Bookings, Trips } from "./resources/bookings.js";
import { Esim } from "./resources/esim.js";
import { Events } from "./resources/events.js";
import { Flights } from "./resources/flights.js";
import { HealthResource } from "./resources/health.js";
import { Hotels } from "./resources/hotels.js";
import { Operations } from "./resources/operations.js";
import { PlacesResource } from "./resources/places.js";
import { Transfers } from "./resources/transfers.js";
import { Webhooks } from "./resources/webhooks.js";
import { RUNTIME } from "./runtime.js";
import { transport, type Call } from "./transport.js";

/** One partner's access with one key. It keeps no state between calls and may be shared by all of a program. */
export class TravelPartner {
  readonly account: AccountResource;
  readonly operations: Operations;
  readonly places: PlacesResource;
  readonly bookings: Bookings;
  readonly trips: Trips;
  readonly hotels: Hotels;
  readonly flights: Flights;
  readonly transfers: Transfers;
  readonly esim: Esim;
  readonly events: Events;
  readonly webhooks: Webhooks;
  readonly health: HealthResource;
  readonly #call: Call;

  constructor(options: ClientOptions) {
    this.#call = transport(options);
    this.account = new AccountResource(this.#call);
    this.operations = new Operations(this.#call);
    this.places = new PlacesResource(this.#call);
    this.bookings = new Bookings(this.#call);
    this.trips = new Trips(this.#call);
    this.hotels = new Hotels(this.#call);
    this.flights = new Flights(this.#call);
    this.transfers = new Transfers(this.#call);
    this.esim = new Esim(this.#call);
    this.events = new Events(this.#call, { ...RUNTIME, ...options.runtime });
    this.webhooks = new Webhooks(this.#call);
    this.health = new HealthResource(this.#call);
  }

  /** Whether the service answers; looks at no key. */
  ping(options?: CallOptions): Promise<Ping> {
    return this.#call("ping", {}, options);
  }
}
