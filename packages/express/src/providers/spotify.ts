export * from "@latchkey/core/providers/spotify"
export { default } from "@latchkey/core/providers/spotify"
