import type { Answer } from "../provider/messages.js"
import { html, json, oversized, redirect, unreachable } from "./answer.js"
import type { Lies } from "./lie.js"
import type { CallbackLie, LogoutLie, MetadataLie } from "./names.js"

function metadata(change: (honest: Answer["body"]) => Answer["body"]): Lies {
  return { discovery: (answer) => ({ ...answer, body: { ...answer.body, ...change(answer.body) } }) }
}

/** Discovery documents and key sets. */
export const metadataLies: Readonly<Record<MetadataLie, Lies>> = {
  discoveryWrongIssuer: metadata(() => ({ issuer: "https://evil.test" })),
  discoveryIssuerWithSlash: metadata(({ issuer }) => ({ issuer: `${String(issuer)}/` })),
  discoveryIssuerOtherCase: metadata(({ issuer }) => ({ issuer: String(issuer).replace(/[^/:]+$/, upperCase) })),
  discoveryNoIssuer: metadata(() => ({ issuer: undefined })),
  discoveryNotFound: { discovery: () => json(404, { error: "not_found" }) },
  discoveryServerError: { discovery: () => json(500, { message: "out of order" }) },
  discoveryHtml: { discovery: html },
  discoveryRedirect: { discovery: () => redirect(302, "https://evil.test/.well-known/openid-configuration") },
  discoveryOversized: { discovery: oversized },
  discoveryUnreachable: { discovery: unreachable },
  noPkceSupport: metadata(() => ({ code_challenge_methods_supported: undefined })),
  onlyPlainPkceSupport: metadata(() => ({ code_challenge_methods_supported: ["plain"] })),
  plainHttpTokenEndpoint: metadata(() => ({ token_endpoint: "http://op.example/token" })),
  plainHttpJwks: metadata(() => ({ jwks_uri: "http://op.example/jwks" })),
  plainHttpAuthorization: metadata(() => ({ authorization_endpoint: "http://op.example/authorize" })),
  foreignTokenEndpoint: metadata(() => ({ token_endpoint: "https://evil.test/token" })),
  internalTokenEndpoint: metadata(() => ({ token_endpoint: "http://169.254.169.254/token" })),
  scriptAuthorization: metadata(() => ({ authorization_endpoint: "javascript:alert(1)" })),
  /** Harmless where the profile comes from the ID token. */
  noUserinfoEndpoint: metadata(() => ({ userinfo_endpoint: undefined })),
  /** Harmless to clients without a certificate. */
  mutualTlsAliases: metadata(() => ({ mtls_endpoint_aliases: { token_endpoint: "https://mtls.evil.test/token" } })),
  noJwksUri: metadata(() => ({ jwks_uri: undefined })),
  jwksEmpty: { jwks: () => ({ keys: [] }) },
  jwksServerError: { jwks: () => json(500, { message: "out of order" }) },
  jwksHtml: { jwks: html },
  jwksOversized: { jwks: oversized },
  jwksUnreachable: { jwks: unreachable },
  jwksRedirect: { jwks: () => redirect(302, "https://evil.test/jwks") },
}

function upperCase(host: string): string {
  return host.toUpperCase()
}

function returning(change: Readonly<Record<string, string | undefined>>): Lies {
  return {
    authorize: (params) => {
      const told = Object.entries({ ...params, ...change })
      return Object.fromEntries(told.filter((entry): entry is [string, string] => entry[1] !== undefined))
    },
  }
}

/** Parameters that come back from the authorization endpoint. */
export const callbackLies: Readonly<Record<CallbackLie, Lies>> = {
  issMismatch: returning({ iss: "https://evil.test" }),
  issWithSlash: { authorize: (params) => ({ ...params, iss: `${params["iss"] ?? ""}/` }) },
  issMissing: returning({ iss: undefined }),
  stateMissing: returning({ state: undefined }),
  stateWrong: returning({ state: "another-state" }),
  stateHuge: returning({ state: "s".repeat(100_000) }),
  codeMissing: returning({ code: undefined }),
  codeUnknown: returning({ code: "never-issued" }),
  codeHuge: returning({ code: "c".repeat(1 << 20) }),
  codeWithNewline: returning({ code: "code\r\nx-injected: 1" }),
  errorWithCode: returning({ error: "access_denied" }),
  errorMarkup: returning({ code: undefined, error: "<script>alert(1)</script>", error_description: "<img src=x>" }),
  implicitTokens: returning({ id_token: "e30.e30.", access_token: "leaked" }),
}

/** How the browser comes back from the end-session endpoint. */
export const logoutLies: Readonly<Record<LogoutLie, Lies>> = {
  logoutStateWrong: { endSession: () => ({ state: "another-state" }) },
  logoutStateMissing: { endSession: () => ({}) },
}
