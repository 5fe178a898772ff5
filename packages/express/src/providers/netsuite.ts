export * from "@latchkey/core/providers/netsuite"
export { default } from "@latchkey/core/providers/netsuite"
