export * from "@latchkey/core/providers/email"
export { default } from "@latchkey/core/providers/email"
