export * from "@latchkey/core/providers/donation-alerts"
export { default } from "@latchkey/core/providers/donation-alerts"
