export * from "@latchkey/core/providers/anilist"
export { default } from "@latchkey/core/providers/anilist"
