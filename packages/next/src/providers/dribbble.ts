export * from "@latchkey/core/providers/dribbble"
export { default } from "@latchkey/core/providers/dribbble"
