export * from "@latchkey/core/providers/concept2"
export { default } from "@latchkey/core/providers/concept2"
