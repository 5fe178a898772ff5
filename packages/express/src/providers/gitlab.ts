export * from "@latchkey/core/providers/gitlab"
export { default } from "@latchkey/core/providers/gitlab"
