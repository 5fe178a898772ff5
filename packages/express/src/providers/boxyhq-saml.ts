export * from "@latchkey/core/providers/boxyhq-saml"
export { default } from "@latchkey/core/providers/boxyhq-saml"
