export * from "@latchkey/core/providers/box"
export { default } from "@latchkey/core/providers/box"
