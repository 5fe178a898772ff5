export * from "@latchkey/core/providers/azure-ad"
export { default } from "@latchkey/core/providers/azure-ad"
