import { CompactEncrypt } from "jose"
import type { UnsignedToken } from "../provider/messages.js"
import type { Lies } from "./lie.js"
import type { IdTokenLie } from "./names.js"

type Claims = UnsignedToken["claims"]
type Header = UnsignedToken["header"]

/** Claims that are added or replaced; `undefined` takes one away, as JSON has no such value. */
function claiming(change: Claims | ((claims: Claims) => Claims)): Lies {
  return {
    idToken: (token) => {
      const changes = typeof change === "function" ? change(token.claims) : change
      return { ...token, claims: { ...token.claims, ...changes } }
    },
  }
}

function heading(change: Partial<Header>): Lies {
  return { idToken: (token) => ({ ...token, header: { ...token.header, ...change } }) }
}

/** Claims about time, relative to the honest `iat`. Seconds. */
function timed(change: (issuedAt: number) => Claims): Lies {
  return claiming(({ iat }) => change(Number(iat)))
}

const day = 86_400
const aYear = 365 * day

async function encrypted({ claims }: UnsignedToken): Promise<string> {
  const payload = new TextEncoder().encode(JSON.stringify(claims))
  const key = crypto.getRandomValues(new Uint8Array(32))
  return await new CompactEncrypt(payload).setProtectedHeader({ alg: "dir", enc: "A256GCM", cty: "JWT" }).encrypt(key)
}

/** ID tokens that an honest provider of this client would never issue, but for the three marked as harmless. */
export const idTokenLies: Readonly<Record<IdTokenLie, Lies>> = {
  wrongIssuer: claiming({ iss: "https://evil.test" }),
  issuerWithSlash: claiming(({ iss }) => ({ iss: `${String(iss)}/` })),
  noIssuer: claiming({ iss: undefined }),
  noSub: claiming({ sub: undefined }),
  emptySub: claiming({ sub: "" }),
  numericSub: claiming({ sub: 1 }),
  nullSub: claiming({ sub: null }),
  hugeSub: claiming({ sub: "a".repeat(100_000) }),
  subWithNewline: claiming({ sub: "ada\ngrace" }),
  subWithNul: claiming({ sub: "ada\u0000" }),
  wrongAud: claiming({ aud: "other" }),
  wrongAudList: claiming({ aud: ["other"] }),
  emptyAudList: claiming({ aud: [] }),
  noAud: claiming({ aud: undefined }),
  severalAudNoAzp: claiming(({ aud }) => ({ aud: [aud, "other"] })),
  severalAudForeignAzp: claiming(({ aud }) => ({ aud: [aud, "other"], azp: "other" })),
  foreignAzp: claiming({ azp: "other" }),
  noIat: claiming({ iat: undefined }),
  stringIat: timed((at) => ({ iat: String(at) })),
  futureIat: timed((at) => ({ iat: at + day, exp: at + 2 * day })),
  oldIat: timed((at) => ({ iat: at - aYear })),
  futureNotBefore: timed((at) => ({ nbf: at + 3600 })),
  noExp: claiming({ exp: undefined }),
  stringExp: timed((at) => ({ exp: String(at + 3600) })),
  expired: timed((at) => ({ iat: at - 3600, exp: at - 301 })),
  /** Harmless where up to a minute of skew is tolerated. */
  barelyExpired: timed((at) => ({ exp: at - 5 })),
  wrongNonce: claiming({ nonce: "another-nonce" }),
  noNonce: claiming({ nonce: undefined }),
  wrongAccessTokenHash: claiming({ at_hash: "AAAAAAAAAAAAAAAAAAAAAA" }),
  claimSources: claiming({
    _claim_names: { email: "internal" },
    _claim_sources: { internal: { endpoint: "http://169.254.169.254/latest/meta-data/" } },
  }),
  polluting: claiming({ ["__proto__"]: { polluted: true }, constructor: { prototype: { polluted: true } } }),
  algNone: heading({ alg: "none" }),
  algNoneAdvertised: {
    ...heading({ alg: "none" }),
    discovery: (answer) => ({
      ...answer,
      body: { ...answer.body, id_token_signing_alg_values_supported: ["RS256", "none"] },
    }),
  },
  badSignature: { idToken: (token) => ({ ...token, key: "stray" }) },
  /** The MAC is made with a secret that is not the client's. */
  wrongMac: { idToken: (token) => ({ ...token, key: "stray", header: { ...token.header, alg: "HS256" } }) },
  wrongMacAdvertised: {
    idToken: (token) => ({ ...token, key: "stray", header: { ...token.header, alg: "HS256" } }),
    discovery: (answer) => ({
      ...answer,
      body: { ...answer.body, id_token_signing_alg_values_supported: ["RS256", "HS256"] },
    }),
  },
  publicKeyAsMacSecret: {
    idToken: (token) => ({ ...token, key: "published", header: { ...token.header, alg: "HS256" } }),
  },
  /** Harmless only to clients that did not register another algorithm. */
  unexpectedAlgorithm: heading({ alg: "ES256" }),
  /** Harmless while a single key is published. */
  noKid: heading({ kid: undefined }),
  unknownKid: { idToken: (token) => ({ ...token, key: "stray", header: { ...token.header, kid: "unknown" } }) },
  criticalHeader: heading({ crit: ["exotic"], exotic: true }),
  embeddedKey: {
    idToken: (token) => ({ ...token, key: "stray", header: { ...token.header, jku: "https://evil.test/jwks" } }),
  },
  encryptedIdToken: { idToken: encrypted },
  garbageIdToken: { idToken: () => "not.a.token" },
  emptyIdToken: { idToken: () => "" },
}
