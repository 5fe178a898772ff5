export * from "@latchkey/core/providers/wechat"
export { default } from "@latchkey/core/providers/wechat"
