export * from "@latchkey/core/providers/mercadopago"
export { default } from "@latchkey/core/providers/mercadopago"
