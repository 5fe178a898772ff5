export * from "@latchkey/core/providers/hubspot"
export { default } from "@latchkey/core/providers/hubspot"
