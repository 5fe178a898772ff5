export * from "@latchkey/core/providers/zitadel"
export { default } from "@latchkey/core/providers/zitadel"
