export * from "@latchkey/core/providers/figma"
export { default } from "@latchkey/core/providers/figma"
