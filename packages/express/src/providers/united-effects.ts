export * from "@latchkey/core/providers/united-effects"
export { default } from "@latchkey/core/providers/united-effects"
