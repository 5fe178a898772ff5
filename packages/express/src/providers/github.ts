export * from "@latchkey/core/providers/github"
export { default } from "@latchkey/core/providers/github"
