export * from "@latchkey/core/providers/coinbase"
export { default } from "@latchkey/core/providers/coinbase"
