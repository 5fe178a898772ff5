export * from "@latchkey/core/providers/vercel"
export { default } from "@latchkey/core/providers/vercel"
