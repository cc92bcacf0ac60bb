/** What the generated document says of an operation, as types: its body, its query, its answer. */

import type { operations } from "./generated/openapi.js";
import type { OPERATIONS } from "./generated/operations.js";

export type OperationId = keyof typeof OPERATIONS;

type JsonOf<Part> = Part extends { content: { "application/json": infer Json } } ? Json : undefined;
type FileOf<Part> = Part extends { content: object } ? (JsonOf<Part> extends undefined ? Uint8Array : never) : never;
type Parameters<Id extends OperationId> = operations[Id]["parameters"];
type Responses<Id extends OperationId> = operations[Id]["responses"];

export type BodyOf<Id extends OperationId> = JsonOf<NonNullable<operations[Id]["requestBody"]>>;
export type QueryOf<Id extends OperationId> = Given<NonNullable<Parameters<Id>["query"]>>;
export type PathOf<Id extends OperationId> = NonNullable<Parameters<Id>["path"]>;
/** The bytes of a file, where the operation has no other answer. */
export type AnswerOf<Id extends OperationId> = [FileOf<Responses<Id>[keyof Responses<Id>]>] extends [never]
  ? JsonOf<Responses<Id>[keyof Responses<Id>]>
  : Uint8Array;

/** What may be left out may also be `undefined`: it is not sent. */
type Given<Query> = { [Name in keyof Query]: Query[Name] | (object extends Pick<Query, Name> ? undefined : never) };

/** The filters of a listing, without the cursor, which an iteration keeps for itself. */
export type FiltersOf<Id extends OperationId> = Omit<QueryOf<Id>, "cursor">;

/** What is sent: only what the operation has, and what it demands. */
export type RequestOf<Id extends OperationId> = ([PathOf<Id>] extends [never] ? unknown : { path: PathOf<Id> }) &
  ([QueryOf<Id>] extends [never] ? unknown : { query?: QueryOf<Id> | undefined }) &
  ([operations[Id]["requestBody"]] extends [undefined] ? unknown : { body: BodyOf<Id> | undefined });
