// The API reference: Swagger UI with this service's own OpenAPI document. It adds an Idempotency-Key to each POST that has none.
"use strict";

const KEY = "Idempotency-Key";

// The parameter stands in each operation, or once for all of them.
function withOptionalKeys(definition) {
  const posts = Object.values(definition.paths).flatMap(({ post }) => post?.parameters ?? []);
  for (const parameter of [...posts, ...Object.values(definition.components.parameters ?? {})]) {
    if (parameter.name === KEY) {
      parameter.required = false;
      parameter.description = `Left empty, this page makes one up. ${parameter.description ?? ""}`;
    }
  }
  return definition;
}

// The forms begin with what the service takes today. The document's own examples were recorded on another day, and name what
// another account has. Without any, Swagger UI makes up bodies from the patterns of the texts, and each would be refused.
function withExamples(definition, examples) {
  for (const operations of Object.values(definition.paths)) {
    for (const { operationId, requestBody, parameters } of Object.values(operations)) {
      if (requestBody && examples[operationId]) {
        const media = requestBody.content["application/json"];
        delete media.examples;
        media.example = examples[operationId];
      }
      for (const parameter of parameters ?? []) {
        delete parameter.example;
      }
    }
  }
  for (const parameter of Object.values(definition.components.parameters ?? {})) {
    delete parameter.example;
  }
  return definition;
}

function withKey(request) {
  const named = Object.keys(request.headers).find((name) => name.toLowerCase() === KEY.toLowerCase()) ?? KEY;
  if (request.method === "POST" && !request.headers[named]) {
    request.headers[named] = crypto.randomUUID();
  }
  return request;
}

window.addEventListener("load", async () => {
  const reference = document.getElementById("reference");
  const answer = await fetch(reference.dataset.document);
  const examples = JSON.parse(reference.dataset.examples);
  const definition = withExamples(withOptionalKeys(await answer.json()), examples);
  definition.servers = [{ url: location.origin }]; // the policy of this page allows no other address
  reference.textContent = "";
  window.SwaggerUIBundle({
    spec: definition,
    domNode: reference,
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: -1,
    displayRequestDuration: true,
    persistAuthorization: false,
    validatorUrl: null,
    requestInterceptor: withKey,
  });
});
