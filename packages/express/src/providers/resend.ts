export * from "@latchkey/core/providers/resend"
export { default } from "@latchkey/core/providers/resend"
