export * from "@latchkey/core/providers/synology"
export { default } from "@latchkey/core/providers/synology"
