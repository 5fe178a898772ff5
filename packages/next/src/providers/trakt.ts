export * from "@latchkey/core/providers/trakt"
export { default } from "@latchkey/core/providers/trakt"
