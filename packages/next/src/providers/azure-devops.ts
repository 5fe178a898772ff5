export * from "@latchkey/core/providers/azure-devops"
export { default } from "@latchkey/core/providers/azure-devops"
