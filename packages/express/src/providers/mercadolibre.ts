export * from "@latchkey/core/providers/mercadolibre"
export { default } from "@latchkey/core/providers/mercadolibre"
