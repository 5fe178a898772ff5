export * from "@latchkey/core/providers/polar"
export { default } from "@latchkey/core/providers/polar"
