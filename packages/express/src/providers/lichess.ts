export * from "@latchkey/core/providers/lichess"
export { default } from "@latchkey/core/providers/lichess"
