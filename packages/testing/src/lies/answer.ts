import type { Answer } from "../provider/messages.js"
import type { Lies } from "./lie.js"
import type { CarelessLie, TokenLie, UserinfoLie } from "./names.js"

type Body = Answer["body"]

function tokenBody(change: Body): Lies {
  return { token: (answer) => ({ ...answer, body: { ...answer.body, ...change } }) }
}

function json(status: number, body: Body): Response {
  return Response.json(body, { status })
}

function html(): Response {
  return new Response("<!doctype html><title>Sign in</title>", { headers: { "content-type": "text/html" } })
}

function redirect(status: 302 | 307, location: string): Response {
  return new Response(null, { status, headers: { location } })
}

/** A body of 8 MB, sent in pieces, without a length in the headers. */
function oversized(): Response {
  const piece = new TextEncoder().encode(" ".repeat(1 << 20))
  let left = 8
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (left === 0) controller.close()
      else controller.enqueue(piece)
      left -= 1
    },
  })
  return new Response(body, { headers: { "content-type": "application/json" } })
}

function unreachable(): never {
  throw new TypeError("fetch failed")
}

const collector = "https://evil.test/collect"

/** Answers of the token endpoint. */
export const tokenLies: Readonly<Record<TokenLie, Lies>> = {
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
  /** Harmless: RFC 6749 §5.1 compares without case. */
  shoutedTokenType: tokenBody({ token_type: "BEARER" }),
  macTokenType: tokenBody({ token_type: "mac" }),
  /** Harmless, and common. */
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

/** Answers of the userinfo endpoint; the `signed…` ones need `userinfo: "jwt"`. */
export const userinfoLies: Readonly<Record<UserinfoLie, Lies>> = {
  userinfoSubMismatch: { userinfo: (answer) => ({ ...answer, body: { ...answer.body, sub: "other" } }) },
  userinfoNoSub: { userinfo: (answer) => ({ ...answer, body: { ...answer.body, sub: undefined } }) },
  userinfo401: { userinfo: () => json(401, { error: "invalid_token" }) },
  userinfo403: { userinfo: () => json(403, { message: "Bad credentials" }) },
  userinfo429: { userinfo: () => json(429, { error: "slow_down" }) },
  userinfo500: { userinfo: () => json(500, { message: "out of order", sub: "ada", id: "ada" }) },
  userinfoHtml: { userinfo: html },
  userinfoEmpty: { userinfo: () => json(200, {}) },
  userinfoList: { userinfo: () => Response.json([]) },
  userinfoNull: { userinfo: () => Response.json(null) },
  userinfoRedirect: { userinfo: () => redirect(302, collector) },
  userinfoOversized: { userinfo: oversized },
  userinfoUnreachable: { userinfo: unreachable },
  userinfoPolluting: {
    userinfo: (answer) => ({ ...answer, body: { ...answer.body, ["__proto__"]: { polluted: true } } }),
  },
  signedUserinfoBadSignature: { signedUserinfo: (token) => ({ ...token, key: "stray" }) },
  signedUserinfoAlgNone: { signedUserinfo: (token) => ({ ...token, header: { ...token.header, alg: "none" } }) },
  signedUserinfoWrongAud: { signedUserinfo: (token) => ({ ...token, claims: { ...token.claims, aud: "other" } }) },
  signedUserinfoWrongIssuer: {
    signedUserinfo: (token) => ({ ...token, claims: { ...token.claims, iss: "https://evil.test" } }),
  },
}

/** The provider is careless about what it should check. */
export const careless: Readonly<Record<CarelessLie, Lies>> = {
  codeReplay: { overlook: ({ reason }) => reason === "code-used" },
  pkceIgnored: { overlook: ({ reason }) => reason === "pkce" },
  redirectUriIgnored: { overlook: ({ reason }) => reason === "redirect-uri" },
  clientAuthenticationIgnored: { overlook: ({ reason }) => reason === "client-authentication" },
  refreshTokenReplay: { overlook: ({ reason }) => reason === "refresh-token-used" },
}

export { html, json, oversized, redirect, unreachable }
