export * from "@latchkey/core/providers/telegram"
export { default } from "@latchkey/core/providers/telegram"
