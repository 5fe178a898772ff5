export * from "@latchkey/core/providers/asgardeo"
export { default } from "@latchkey/core/providers/asgardeo"
