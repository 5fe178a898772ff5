export * from "@latchkey/core/providers/netlify"
export { default } from "@latchkey/core/providers/netlify"
