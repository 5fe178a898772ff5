export * from "@latchkey/core/providers/simplelogin"
export { default } from "@latchkey/core/providers/simplelogin"
