export * from "@latchkey/core/providers/tumblr"
export { default } from "@latchkey/core/providers/tumblr"
