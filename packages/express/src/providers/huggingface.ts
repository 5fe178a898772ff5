export * from "@latchkey/core/providers/huggingface"
export { default } from "@latchkey/core/providers/huggingface"
