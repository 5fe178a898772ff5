export * from "@latchkey/core/providers/intuit"
export { default } from "@latchkey/core/providers/intuit"
