export * from "@latchkey/core/providers/mailchimp"
export { default } from "@latchkey/core/providers/mailchimp"
