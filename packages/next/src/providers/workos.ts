export * from "@latchkey/core/providers/workos"
export { default } from "@latchkey/core/providers/workos"
