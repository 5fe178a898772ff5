export * from "@latchkey/core/providers/tiltify"
export { default } from "@latchkey/core/providers/tiltify"
