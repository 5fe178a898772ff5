export * from "@latchkey/core/providers/osu"
export { default } from "@latchkey/core/providers/osu"
