import type { Answer } from "../provider/messages.js"
import type { Fault } from "./fault.js"
import type { MetadataFault } from "./names.js"
import { html, json, oversized, redirect, unreachable } from "./responses.js"

function metadata(change: (correct: Answer["body"]) => Answer["body"]): Fault {
  return { discovery: (answer) => ({ ...answer, body: { ...answer.body, ...change(answer.body) } }) }
}

/** Faults of discovery documents and key sets. */
export const metadataFaults: Readonly<Record<MetadataFault, Fault>> = {
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
  /** Harmless if the profile comes from the ID token. */
  noUserinfoEndpoint: metadata(() => ({ userinfo_endpoint: undefined })),
  /** Harmless for clients without a certificate. */
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
