export * from "@latchkey/core/providers/azure-ad-b2c"
export { default } from "@latchkey/core/providers/azure-ad-b2c"
