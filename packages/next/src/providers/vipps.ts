export * from "@latchkey/core/providers/vipps"
export { default } from "@latchkey/core/providers/vipps"
