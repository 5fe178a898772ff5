export * from "@latchkey/core/providers/beyondidentity"
export { default } from "@latchkey/core/providers/beyondidentity"
