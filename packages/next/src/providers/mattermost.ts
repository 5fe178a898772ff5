export * from "@latchkey/core/providers/mattermost"
export { default } from "@latchkey/core/providers/mattermost"
