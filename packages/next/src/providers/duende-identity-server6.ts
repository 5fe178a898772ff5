export * from "@latchkey/core/providers/duende-identity-server6"
export { default } from "@latchkey/core/providers/duende-identity-server6"
