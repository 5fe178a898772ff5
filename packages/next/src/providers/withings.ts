export * from "@latchkey/core/providers/withings"
export { default } from "@latchkey/core/providers/withings"
