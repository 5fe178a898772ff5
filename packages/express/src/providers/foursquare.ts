export * from "@latchkey/core/providers/foursquare"
export { default } from "@latchkey/core/providers/foursquare"
