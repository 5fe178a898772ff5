export * from "@latchkey/core/providers/descope"
export { default } from "@latchkey/core/providers/descope"
