export * from "@latchkey/core/providers/webex"
export { default } from "@latchkey/core/providers/webex"
