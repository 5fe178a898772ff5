export * from "@latchkey/core/providers/autodesk"
export { default } from "@latchkey/core/providers/autodesk"
