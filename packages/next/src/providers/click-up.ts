export * from "@latchkey/core/providers/click-up"
export { default } from "@latchkey/core/providers/click-up"
