export * from "@latchkey/core/providers/loops"
export { default } from "@latchkey/core/providers/loops"
