export * from "@latchkey/core/providers/microsoft-entra-id"
export { default } from "@latchkey/core/providers/microsoft-entra-id"
