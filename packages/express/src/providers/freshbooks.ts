export * from "@latchkey/core/providers/freshbooks"
export { default } from "@latchkey/core/providers/freshbooks"
