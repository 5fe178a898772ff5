export * from "@latchkey/core/providers/battlenet"
export { default } from "@latchkey/core/providers/battlenet"
