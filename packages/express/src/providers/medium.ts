export * from "@latchkey/core/providers/medium"
export { default } from "@latchkey/core/providers/medium"
