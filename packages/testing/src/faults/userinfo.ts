import type { Fault } from "./fault.js"
import type { UserinfoFault } from "./names.js"
import { collector, html, json, oversized, redirect, unreachable } from "./responses.js"

/** Faults of userinfo responses. Those that start with `signed` need `userinfo: "jwt"`. */
export const userinfoFaults: Readonly<Record<UserinfoFault, Fault>> = {
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
