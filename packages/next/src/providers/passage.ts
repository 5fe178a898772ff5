export * from "@latchkey/core/providers/passage"
export { default } from "@latchkey/core/providers/passage"
