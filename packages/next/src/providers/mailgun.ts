export * from "@latchkey/core/providers/mailgun"
export { default } from "@latchkey/core/providers/mailgun"
