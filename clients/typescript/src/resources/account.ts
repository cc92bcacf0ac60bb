import type { Account, AccountStatement, AccountStatementList, LedgerEntry, LedgerEntryList, SearchUsage } from "../generated/models.js";
import type { FiltersOf, QueryOf } from "../operations.js";
import type { CallOptions } from "../options.js";
import { follow } from "../pages.js";
import type { Call } from "../transport.js";

export class AccountResource {
  readonly ledger: Ledger;
  readonly statements: Statements;
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
    this.ledger = new Ledger(call);
    this.statements = new Statements(call);
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

  /** One page, newest first, with the balance. */
  list(query?: QueryOf<"listLedgerEntries">, options?: CallOptions): Promise<LedgerEntryList> {
    return this.#call("listLedgerEntries", { query }, options);
  }

  /** All entries, newest first. */
  iterate(filters?: FiltersOf<"listLedgerEntries">, options?: CallOptions): AsyncGenerator<LedgerEntry, void, undefined> {
    return follow((cursor) => this.list({ ...filters, ...(cursor && { cursor }) }, options));
  }
}

export class Statements {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** The months that have a statement, newest first. */
  list(options?: CallOptions): Promise<AccountStatementList> {
    return this.#call("listAccountStatements", {}, options);
  }

  /** `month` is such as `2027-01`, in UTC. */
  get(month: string, options?: CallOptions): Promise<AccountStatement> {
    return this.#call("getAccountStatement", { path: { month } }, options);
  }

  /** The same as a file. */
  download(month: string, format: "csv" | "pdf", options?: CallOptions): Promise<Uint8Array> {
    const file: Promise<unknown> = this.#call("getAccountStatement", { path: { month }, query: { format } }, options);
    return file as Promise<Uint8Array>;
  }
}
