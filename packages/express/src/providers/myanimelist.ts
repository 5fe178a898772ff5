export * from "@latchkey/core/providers/myanimelist"
export { default } from "@latchkey/core/providers/myanimelist"
