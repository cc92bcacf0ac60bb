// Writes src/generated/ from the OpenAPI document on standard input; with --check it only says whether that would change anything.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { json } from "node:stream/consumers";
import openapiTypeScript, { astToString } from "openapi-typescript";
import ts from "typescript";

const FOLDER = new URL("../src/generated/", import.meta.url);
const ENVELOPE = new Set(["ErrorEnvelope", "ApiError", "ApiErrorDetail"]);
const HEADER = "// Written by `make clients-generate` from the OpenAPI document. Do not edit.\n\n";

const document = await json(process.stdin);
const files = { "openapi.ts": await types(document), "models.ts": models(document), "operations.ts": operations(document) };
if (process.argv.includes("--check")) check();
else for (const [name, text] of Object.entries(files)) writeFileSync(new URL(name, FOLDER), text);

/** Types alone: nothing of this file is left when it is compiled. */
async function types(document) {
  const options = { transform: openEnumeration, defaultNonNullable: false }; // what has a default need not be sent
  return HEADER + astToString(await openapiTypeScript(successes(document), options));
}

/** The document without refusals and headers, which src/errors.ts and src/meta.ts know: else each would be written out 43 times. */
function successes(document) {
  const pruned = structuredClone(document);
  for (const [, , operation] of operationsOf(pruned)) {
    const kept = Object.entries(operation.responses).filter(([status]) => status.startsWith("2"));
    operation.responses = Object.fromEntries(kept.map(([status, { headers: _, ...response }]) => [status, response]));
  }
  delete pruned.components.responses;
  delete pruned.components.headers;
  return pruned;
}

/** A name for each schema, except those of the envelope, which are classes in src/errors.ts. */
function models({ components }) {
  const names = Object.keys(components.schemas).filter((name) => !ENVELOPE.has(name));
  const lines = names.map((name) => `export type ${name} = components["schemas"]["${name}"];\n`);
  return `${HEADER}import type { components } from "./openapi.js";\n\n${lines.join("")}`;
}

/** `x-extensible-enum`: the values known today, and any other text, so that a value of tomorrow fits the type. */
function openEnumeration(schema) {
  const values = schema["x-extensible-enum"];
  if (!values) return undefined;
  const known = values.map((value) => JSON.stringify(value)).join(" | ");
  const orNull = schema.type.includes("null") ? " | null" : "";
  return typeNode(`${known} | (string & {})${orNull}`);
}

function typeNode(text) {
  const source = ts.createSourceFile("", `type T = ${text}`, ts.ScriptTarget.Latest);
  return withoutPositions(source.statements[0].type);
}

/** A printer takes a literal's text from the file at its position, and this one ends up in another file. */
function withoutPositions(node) {
  const visit = (child) => withoutPositions(child);
  return ts.setTextRange(ts.visitEachChild(node, visit, undefined), { pos: -1, end: -1 });
}

/** Where each operation is, whether it takes an Idempotency-Key, and whether its answer may be a file. */
function operations(document) {
  const lines = operationsOf(document).map(([path, method, { operationId, parameters = [], responses }]) => {
    const names = parameters.map((parameter) => resolved(document, parameter).name);
    const media = Object.keys(responses["200"]?.content ?? {});
    const files = media.some((name) => name !== "application/json");
    const entry = { method: method.toUpperCase(), path, keyed: names.includes("Idempotency-Key"), files };
    return `  ${operationId}: ${JSON.stringify(entry)},\n`;
  });
  return `${HEADER}export const OPERATIONS = {\n${lines.join("")}} as const;\n`;
}

function operationsOf({ paths }) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, entry]) => "operationId" in entry)
      .map(([method, operation]) => [path, method, operation]),
  );
}

function resolved(document, { $ref, ...itself }) {
  return $ref ? $ref.slice(2).split("/").reduce((part, name) => part[name], document) : itself;
}

function check() {
  const written = (name) => existsSync(new URL(name, FOLDER)) && readFileSync(new URL(name, FOLDER), "utf8");
  const stale = Object.keys(files).filter((name) => written(name) !== files[name]);
  if (stale.length === 0) return;
  console.error(`Stale: src/generated/${stale.join(", src/generated/")}. Run: make clients-generate`);
  process.exitCode = 1;
}
