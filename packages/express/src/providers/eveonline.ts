export * from "@latchkey/core/providers/eveonline"
export { default } from "@latchkey/core/providers/eveonline"
