export * from "@latchkey/core/providers/zoho"
export { default } from "@latchkey/core/providers/zoho"
