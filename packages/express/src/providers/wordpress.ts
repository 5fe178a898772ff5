export * from "@latchkey/core/providers/wordpress"
export { default } from "@latchkey/core/providers/wordpress"
