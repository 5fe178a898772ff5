export * from "@latchkey/core/providers/frontegg"
export { default } from "@latchkey/core/providers/frontegg"
