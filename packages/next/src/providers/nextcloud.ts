export * from "@latchkey/core/providers/nextcloud"
export { default } from "@latchkey/core/providers/nextcloud"
