import { CompactEncrypt } from "jose"
import type { UnsignedToken } from "../provider/messages.js"
import type { Fault } from "./fault.js"
import type { IdTokenFault } from "./names.js"

type Claims = UnsignedToken["claims"]
type Header = UnsignedToken["header"]

/** Adds or replaces claims. `undefined` removes one, because JSON omits it. */
function withClaims(change: Claims | ((claims: Claims) => Claims)): Fault {
  return {
    idToken: (token) => {
      const changes = typeof change === "function" ? change(token.claims) : change
      return { ...token, claims: { ...token.claims, ...changes } }
    },
  }
}

function withHeader(change: Partial<Header>): Fault {
  return { idToken: (token) => ({ ...token, header: { ...token.header, ...change } }) }
}

/** Changes time claims relative to the correct `iat`, in seconds. */
function withTimes(change: (issuedAt: number) => Claims): Fault {
  return withClaims(({ iat }) => change(Number(iat)))
}

const day = 86_400
const year = 365 * day

async function encrypted({ claims }: UnsignedToken): Promise<string> {
  const payload = new TextEncoder().encode(JSON.stringify(claims))
  const key = crypto.getRandomValues(new Uint8Array(32))
  return await new CompactEncrypt(payload).setProtectedHeader({ alg: "dir", enc: "A256GCM", cty: "JWT" }).encrypt(key)
}

/** Faults of the ID token. A client must reject all but the three that are marked as harmless. */
export const idTokenFaults: Readonly<Record<IdTokenFault, Fault>> = {
  wrongIssuer: withClaims({ iss: "https://evil.test" }),
  issuerWithSlash: withClaims(({ iss }) => ({ iss: `${String(iss)}/` })),
  noIssuer: withClaims({ iss: undefined }),
  noSub: withClaims({ sub: undefined }),
  emptySub: withClaims({ sub: "" }),
  numericSub: withClaims({ sub: 1 }),
  nullSub: withClaims({ sub: null }),
  hugeSub: withClaims({ sub: "a".repeat(100_000) }),
  subWithNewline: withClaims({ sub: "ada\ngrace" }),
  subWithNul: withClaims({ sub: "ada\u0000" }),
  wrongAud: withClaims({ aud: "other" }),
  wrongAudList: withClaims({ aud: ["other"] }),
  emptyAudList: withClaims({ aud: [] }),
  noAud: withClaims({ aud: undefined }),
  severalAudNoAzp: withClaims(({ aud }) => ({ aud: [aud, "other"] })),
  severalAudForeignAzp: withClaims(({ aud }) => ({ aud: [aud, "other"], azp: "other" })),
  foreignAzp: withClaims({ azp: "other" }),
  noIat: withClaims({ iat: undefined }),
  stringIat: withTimes((at) => ({ iat: String(at) })),
  futureIat: withTimes((at) => ({ iat: at + day, exp: at + 2 * day })),
  oldIat: withTimes((at) => ({ iat: at - year })),
  futureNotBefore: withTimes((at) => ({ nbf: at + 3600 })),
  noExp: withClaims({ exp: undefined }),
  stringExp: withTimes((at) => ({ exp: String(at + 3600) })),
  expired: withTimes((at) => ({ iat: at - 3600, exp: at - 301 })),
  /** Harmless if the client tolerates some clock skew. */
  barelyExpired: withTimes((at) => ({ exp: at - 5 })),
  wrongNonce: withClaims({ nonce: "another-nonce" }),
  noNonce: withClaims({ nonce: undefined }),
  wrongAccessTokenHash: withClaims({ at_hash: "AAAAAAAAAAAAAAAAAAAAAA" }),
  claimSources: withClaims({
    _claim_names: { email: "internal" },
    _claim_sources: { internal: { endpoint: "http://169.254.169.254/latest/meta-data/" } },
  }),
  polluting: withClaims({ ["__proto__"]: { polluted: true }, constructor: { prototype: { polluted: true } } }),
  algNone: withHeader({ alg: "none" }),
  algNoneAdvertised: {
    ...withHeader({ alg: "none" }),
    discovery: (answer) => ({
      ...answer,
      body: { ...answer.body, id_token_signing_alg_values_supported: ["RS256", "none"] },
    }),
  },
  badSignature: { idToken: (token) => ({ ...token, key: "stray" }) },
  /** The key of the MAC isn't the client secret. */
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
  /** Harmless if the client has no registered algorithm. */
  unexpectedAlgorithm: withHeader({ alg: "ES256" }),
  /** Harmless if only one key is published. */
  noKid: withHeader({ kid: undefined }),
  unknownKid: { idToken: (token) => ({ ...token, key: "stray", header: { ...token.header, kid: "unknown" } }) },
  criticalHeader: withHeader({ crit: ["exotic"], exotic: true }),
  embeddedKey: {
    idToken: (token) => ({ ...token, key: "stray", header: { ...token.header, jku: "https://evil.test/jwks" } }),
  },
  encryptedIdToken: { idToken: encrypted },
  garbageIdToken: { idToken: () => "not.a.token" },
  emptyIdToken: { idToken: () => "" },
}
