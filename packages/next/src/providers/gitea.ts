export * from "@latchkey/core/providers/gitea"
export { default } from "@latchkey/core/providers/gitea"
