export * from "@latchkey/core/providers/facebook"
export { default } from "@latchkey/core/providers/facebook"
