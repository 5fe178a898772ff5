export * from "@latchkey/core/providers/onelogin"
export { default } from "@latchkey/core/providers/onelogin"
