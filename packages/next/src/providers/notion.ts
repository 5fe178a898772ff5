export * from "@latchkey/core/providers/notion"
export { default } from "@latchkey/core/providers/notion"
