export * from "@latchkey/core/providers/paypal"
export { default } from "@latchkey/core/providers/paypal"
