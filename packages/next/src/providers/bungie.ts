export * from "@latchkey/core/providers/bungie"
export { default } from "@latchkey/core/providers/bungie"
