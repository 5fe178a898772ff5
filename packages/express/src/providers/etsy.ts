export * from "@latchkey/core/providers/etsy"
export { default } from "@latchkey/core/providers/etsy"
