export * from "@latchkey/core/providers/epicgames"
export { default } from "@latchkey/core/providers/epicgames"
