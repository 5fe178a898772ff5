export * from "@latchkey/core/providers/fusionauth"
export { default } from "@latchkey/core/providers/fusionauth"
