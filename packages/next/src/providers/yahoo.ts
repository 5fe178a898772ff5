export * from "@latchkey/core/providers/yahoo"
export { default } from "@latchkey/core/providers/yahoo"
