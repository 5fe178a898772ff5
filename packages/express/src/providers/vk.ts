export * from "@latchkey/core/providers/vk"
export { default } from "@latchkey/core/providers/vk"
