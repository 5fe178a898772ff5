import type { Answer } from "../provider/messages.js"
import type { Fault } from "./fault.js"
import type { SkippedCheckFault, TokenFault } from "./names.js"
import { collector, html, json, oversized, redirect, unreachable } from "./responses.js"

function tokenBody(change: Answer["body"]): Fault {
  return { token: (answer) => ({ ...answer, body: { ...answer.body, ...change } }) }
}

/** Faults of token responses. */
export const tokenFaults: Readonly<Record<TokenFault, Fault>> = {
  tokenErrorIn200: { token: () => json(200, { error: "bad_verification_code" }) },
  tokenError: { token: () => json(400, { error: "invalid_grant" }) },
  tokenEmpty: { token: () => json(200, {}) },
  tokenHtml: { token: html },
  tokenNotJson: { token: () => new Response("{", { headers: { "content-type": "application/json" } }) },
  tokenCreated: { token: (answer) => ({ ...answer, status: 201 }) },
  tokenServerError: { token: () => json(500, { message: "out of order" }) },
  tokenRedirect: { token: () => redirect(302, collector) },
  tokenRedirectWithBody: { token: () => redirect(307, collector) },
  tokenOversized: { token: oversized },
  tokenUnreachable: { token: unreachable },
  noIdToken: tokenBody({ id_token: undefined }),
  noAccessToken: tokenBody({ access_token: undefined }),
  noTokenType: tokenBody({ token_type: undefined }),
  /** Harmless: `token_type` is case-insensitive (RFC 6749 §5.1). */
  shoutedTokenType: tokenBody({ token_type: "BEARER" }),
  macTokenType: tokenBody({ token_type: "mac" }),
  /** Harmless: some services send a string. */
  expiresInText: tokenBody({ expires_in: "3600" }),
  expiresInNegative: tokenBody({ expires_in: -1 }),
  expiresInHuge: tokenBody({ expires_in: 1e20 }),
  expiresInGarbage: tokenBody({ expires_in: "abc" }),
  expiresInNull: tokenBody({ expires_in: null }),
  refreshTokenObject: tokenBody({ refresh_token: {} }),
  scopeList: tokenBody({ scope: ["read", "write"] }),
  reservedTokenKeys: tokenBody({
    provider: "other",
    providerAccountId: "grace",
    userId: "1",
    type: "credentials",
    expires_at: 1,
  }),
  pollutingTokenKeys: tokenBody({ ["__proto__"]: { polluted: true }, constructor: { prototype: { polluted: true } } }),
}

/** Checks that the token endpoint skips. */
export const skippedChecks: Readonly<Record<SkippedCheckFault, Fault>> = {
  codeReplay: { overlook: ({ reason }) => reason === "code-used" },
  pkceIgnored: { overlook: ({ reason }) => reason === "pkce" },
  redirectUriIgnored: { overlook: ({ reason }) => reason === "redirect-uri" },
  clientAuthenticationIgnored: { overlook: ({ reason }) => reason === "client-authentication" },
  refreshTokenReplay: { overlook: ({ reason }) => reason === "refresh-token-used" },
}
