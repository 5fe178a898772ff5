export * from "@latchkey/core/providers/twitch"
export { default } from "@latchkey/core/providers/twitch"
