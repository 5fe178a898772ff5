export * from "@latchkey/core/providers/google"
export { default } from "@latchkey/core/providers/google"
