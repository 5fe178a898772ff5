export * from "@latchkey/core/providers/todoist"
export { default } from "@latchkey/core/providers/todoist"
