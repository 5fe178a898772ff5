export * from "@latchkey/core/providers/forwardemail"
export { default } from "@latchkey/core/providers/forwardemail"
