export * from "@latchkey/core/providers/sendgrid"
export { default } from "@latchkey/core/providers/sendgrid"
