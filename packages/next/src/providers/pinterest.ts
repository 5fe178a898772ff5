export * from "@latchkey/core/providers/pinterest"
export { default } from "@latchkey/core/providers/pinterest"
