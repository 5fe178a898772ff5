export * from "@latchkey/core/providers/ping-id"
export { default } from "@latchkey/core/providers/ping-id"
