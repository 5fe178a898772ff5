export * from "@latchkey/core/providers/eventbrite"
export { default } from "@latchkey/core/providers/eventbrite"
