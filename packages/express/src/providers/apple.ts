export * from "@latchkey/core/providers/apple"
export { default } from "@latchkey/core/providers/apple"
