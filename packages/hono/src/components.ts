export * from "@latchkey/react/components"
