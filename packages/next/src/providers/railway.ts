export * from "@latchkey/core/providers/railway"
export { default } from "@latchkey/core/providers/railway"
