export * from "@latchkey/core/providers/kinde"
export { default } from "@latchkey/core/providers/kinde"
