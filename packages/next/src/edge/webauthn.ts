/**
 * Import this instead of `@latchkey/next/edge` in Route Handlers and Server Actions that run on the edge runtime, if users sign
 * in with passkeys. It also adds the package `@simplewebauthn/server`.
 *
 * @module
 */
export * from "@latchkey/core/edge/webauthn"
export * from "../edge.js"
