export * from "@latchkey/core/providers/42-school"
export { default } from "@latchkey/core/providers/42-school"
