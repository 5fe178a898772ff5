export * from "@latchkey/core/providers/roblox"
export { default } from "@latchkey/core/providers/roblox"
