export * from "@latchkey/core/providers/pipedrive"
export { default } from "@latchkey/core/providers/pipedrive"
