export * from "@latchkey/core/providers/osso"
export { default } from "@latchkey/core/providers/osso"
