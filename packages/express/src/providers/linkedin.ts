export * from "@latchkey/core/providers/linkedin"
export { default } from "@latchkey/core/providers/linkedin"
