export * from "@latchkey/core/providers/credentials"
export { default } from "@latchkey/core/providers/credentials"
