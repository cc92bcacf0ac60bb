import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import globals from "globals";
import typescript from "typescript-eslint";

export default defineConfig(
  { ignores: ["build/", "dist/", "src/generated/"] },
  js.configs.recommended,
  { rules: { "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }] } },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    files: ["**/*.ts"],
    extends: [typescript.configs.strictTypeChecked],
    languageOptions: { parserOptions: { project: "./tsconfig.test.json" } },
    rules: {
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
    },
  },
  {
    files: ["test/**/*.ts"],
    rules: {
      "@typescript-eslint/no-floating-promises": "off", // node:test waits for its tests
      "@typescript-eslint/no-unnecessary-type-parameters": "off", // two types are compared by means of a third
      "@typescript-eslint/no-unsafe-enum-assignment": "off",
    },
  },
  { files: ["scripts/*.js"], languageOptions: { globals: { ...globals.node } } },
);
