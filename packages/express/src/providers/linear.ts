export * from "@latchkey/core/providers/linear"
export { default } from "@latchkey/core/providers/linear"
