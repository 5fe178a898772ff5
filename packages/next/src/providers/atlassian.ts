export * from "@latchkey/core/providers/atlassian"
export { default } from "@latchkey/core/providers/atlassian"
