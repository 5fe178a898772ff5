export * from "@latchkey/core/providers/mailru"
export { default } from "@latchkey/core/providers/mailru"
