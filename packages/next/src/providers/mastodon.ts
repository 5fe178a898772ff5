export * from "@latchkey/core/providers/mastodon"
export { default } from "@latchkey/core/providers/mastodon"
