export * from "@latchkey/core/providers/startgg"
export { default } from "@latchkey/core/providers/startgg"
