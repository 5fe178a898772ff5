export * from "@latchkey/core/providers/tiktok"
export { default } from "@latchkey/core/providers/tiktok"
