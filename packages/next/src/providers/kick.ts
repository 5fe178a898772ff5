export * from "@latchkey/core/providers/kick"
export { default } from "@latchkey/core/providers/kick"
