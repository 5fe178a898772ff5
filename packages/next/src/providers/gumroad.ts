export * from "@latchkey/core/providers/gumroad"
export { default } from "@latchkey/core/providers/gumroad"
