import type { Account, LedgerEntry, LedgerEntryList, SearchUsage } from "../generated/models.js";
import type { FiltersOf, QueryOf } from "../operations.js";
import type { CallOptions } from "../options.js";
import { follow } from "../pages.js";
import type { Call } from "../transport.js";

export class AccountResource {
  readonly ledger: Ledger;
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
    this.ledger = new Ledger(call);
  }

  /** The account, its balance, the calling key and its limits. */
  get(options?: CallOptions): Promise<Account> {
    return this.#call("getAccount", {}, options);
  }

  /** Billable searches by day, product and key; the last 30 days where no dates are given. */
  usage(query?: QueryOf<"getSearchUsage">, options?: CallOptions): Promise<SearchUsage> {
    return this.#call("getSearchUsage", { query }, options);
  }
}

export class Ledger {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** One page, newest first, beside the balance. */
  list(query?: QueryOf<"listLedgerEntries">, options?: CallOptions): Promise<LedgerEntryList> {
    return this.#call("listLedgerEntries", { query }, options);
  }

  /** All entries, newest first. */
  iterate(filters?: FiltersOf<"listLedgerEntries">, options?: CallOptions): AsyncGenerator<LedgerEntry, void, undefined> {
    return follow((cursor) => this.list({ ...filters, ...(cursor && { cursor }) }, options));
  }
}
