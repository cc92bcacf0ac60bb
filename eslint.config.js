// The scripts of the pages: plain files for browsers, read one by one without a bundler.
const js = require("@eslint/js");
const globals = require("globals");

module.exports = [
  { ignores: ["clients/", "node_modules/", "var/", ".venv*/", "staticfiles/"] },
  {
    files: ["static/js/**/*.js"],
    ...js.configs.recommended,
    languageOptions: {
      sourceType: "script",
      globals: { ...globals.browser, htmx: "readonly", SwaggerUIBundle: "readonly" },
    },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      ...js.configs.recommended.rules,
      curly: ["error", "multi-line"],
      eqeqeq: "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-var": "error",
      "prefer-const": "error",
      // The policy of the pages allows no inline script or style, and no markup is made from text.
      "no-restricted-properties": [
        "error",
        { property: "innerHTML", message: "Use textContent." },
        { property: "outerHTML", message: "Use textContent." },
        { property: "insertAdjacentHTML", message: "Use textContent." },
        { object: "document", property: "write", message: "Use textContent." },
      ],
      "no-unused-vars": ["error", { vars: "local" }], // a page's other scripts see what stands outside functions
    },
  },
  {
    files: ["static/examples/**/*.js"],
    ...js.configs.recommended,
    languageOptions: { sourceType: "commonjs", globals: globals.node },
  },
];
