export * from "@latchkey/core/providers/shikimori"
export { default } from "@latchkey/core/providers/shikimori"
