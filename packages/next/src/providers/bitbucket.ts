export * from "@latchkey/core/providers/bitbucket"
export { default } from "@latchkey/core/providers/bitbucket"
