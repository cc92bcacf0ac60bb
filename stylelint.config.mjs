// The stylesheets of the pages. Off is what the layout of our files decides otherwise, each with its reason.
export default {
  extends: "stylelint-config-standard",
  ignoreFiles: ["node_modules/**", "var/**", "staticfiles/**"],
  reportNeedlessDisables: true,
  rules: {
    "declaration-block-single-line-max-declarations": null, // a short rule stands on one line
    "at-rule-empty-line-before": null, // empty lines part components, not declarations
    "comment-empty-line-before": null,
    "custom-property-empty-line-before": null,
    "rule-empty-line-before": null,
    "no-descending-specificity": null, // rules are grouped by component, not by weight
    "selector-class-pattern": null, // Django's admin and Swagger UI name theirs in other ways
    "selector-id-pattern": null,
    "color-hex-length": "long", // pairs of light and dark line up
    "value-keyword-case": ["lower", { camelCaseSvgKeywords: true, ignoreProperties: ["/^--/", "font-family"] }],
    "property-no-vendor-prefix": [true, { ignoreProperties: ["text-size-adjust"] }], // Safari has no other
  },
};
