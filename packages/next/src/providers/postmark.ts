export * from "@latchkey/core/providers/postmark"
export { default } from "@latchkey/core/providers/postmark"
