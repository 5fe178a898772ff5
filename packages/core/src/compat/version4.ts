// The tokens of next-auth 4, for `@latchkey/next-auth-4`.
export { openVersion4, sealVersion4 } from "./version4-tokens.js"
