export * from "@latchkey/core/providers/dropbox"
export { default } from "@latchkey/core/providers/dropbox"
