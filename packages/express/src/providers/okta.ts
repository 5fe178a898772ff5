export * from "@latchkey/core/providers/okta"
export { default } from "@latchkey/core/providers/okta"
