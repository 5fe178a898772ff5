export * from "@latchkey/core/providers/threads"
export { default } from "@latchkey/core/providers/threads"
