export * from "@latchkey/core/providers/http-email"
export { default } from "@latchkey/core/providers/http-email"
