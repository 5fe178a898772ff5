export * from "@latchkey/core/providers/wikimedia"
export { default } from "@latchkey/core/providers/wikimedia"
