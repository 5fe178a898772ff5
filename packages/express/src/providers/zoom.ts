export * from "@latchkey/core/providers/zoom"
export { default } from "@latchkey/core/providers/zoom"
