export * from "@latchkey/core/providers/identity-server4"
export { default } from "@latchkey/core/providers/identity-server4"
