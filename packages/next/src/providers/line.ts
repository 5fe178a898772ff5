export * from "@latchkey/core/providers/line"
export { default } from "@latchkey/core/providers/line"
