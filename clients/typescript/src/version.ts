/** That of package.json; a test compares them. */
export const VERSION = "1.3.0";
