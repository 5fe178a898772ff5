export * from "@latchkey/core/providers/faceit"
export { default } from "@latchkey/core/providers/faceit"
