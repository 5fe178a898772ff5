export * from "@latchkey/core/providers/instagram"
export { default } from "@latchkey/core/providers/instagram"
