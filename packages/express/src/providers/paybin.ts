export * from "@latchkey/core/providers/paybin"
export { default } from "@latchkey/core/providers/paybin"
