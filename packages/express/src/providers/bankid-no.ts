export * from "@latchkey/core/providers/bankid-no"
export { default } from "@latchkey/core/providers/bankid-no"
