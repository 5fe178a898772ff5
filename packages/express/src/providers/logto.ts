export * from "@latchkey/core/providers/logto"
export { default } from "@latchkey/core/providers/logto"
