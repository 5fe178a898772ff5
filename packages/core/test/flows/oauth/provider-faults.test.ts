import { createProvider, faults } from "@latchkey/testing"
import type { FaultName } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { modes, open, outcome } from "./app.js"

/** How the sign-in ends: on the home page with a session, or with an error code. */
type Fate = "home" | "OAuthCallbackError" | "Configuration" | "InvalidCheck"
type Row = Fate | { readonly compatible: Fate; readonly strict: Fate }

/** Faults before the code exchange: there must be no token request. */
const beforeCode = {
  discoveryWrongIssuer: "Configuration",
  discoveryIssuerWithSlash: "Configuration",
  discoveryIssuerOtherCase: "Configuration",
  discoveryNoIssuer: "Configuration",
  discoveryNotFound: "Configuration",
  discoveryServerError: "Configuration",
  discoveryHtml: "Configuration",
  discoveryRedirect: "Configuration",
  discoveryOversized: "Configuration",
  discoveryUnreachable: "Configuration",
  plainHttpTokenEndpoint: "Configuration",
  plainHttpJwks: "Configuration",
  plainHttpAuthorization: "Configuration",
  internalTokenEndpoint: "Configuration",
  scriptAuthorization: "Configuration",
  issMismatch: "Configuration",
  issWithSlash: "Configuration",
  stateMissing: "InvalidCheck",
  stateWrong: "InvalidCheck",
  codeMissing: "Configuration",
  codeWithNewline: "InvalidCheck",
  errorWithCode: "OAuthCallbackError",
  errorMarkup: "OAuthCallbackError",
  implicitTokens: "Configuration",
} satisfies Partial<Record<FaultName, Row>>

/** Faults that the standards allow. */
const harmless = [
  "noPkceSupport",
  "onlyPlainPkceSupport",
  "noUserinfoEndpoint",
  "mutualTlsAliases",
  "noTokenType",
  "shoutedTokenType",
  "expiresInText",
  "scopeList",
  "reservedTokenKeys",
  "pollutingTokenKeys",
  "barelyExpired",
  "claimSources",
  "polluting",
  "noKid",
] as const satisfies readonly FaultName[]

/** Faults of the token response or later: one token request, and no session. */
const afterCode = [
  "foreignTokenEndpoint",
  "jwksEmpty",
  "jwksServerError",
  "jwksHtml",
  "jwksOversized",
  "jwksUnreachable",
  "jwksRedirect",
  "codeUnknown",
  "tokenErrorIn200",
  "tokenError",
  "tokenEmpty",
  "tokenHtml",
  "tokenNotJson",
  "tokenCreated",
  "tokenServerError",
  "tokenRedirect",
  "tokenRedirectWithBody",
  "tokenOversized",
  "tokenUnreachable",
  "noIdToken",
  "noAccessToken",
  "macTokenType",
  "expiresInNegative",
  "expiresInHuge",
  "expiresInGarbage",
  "expiresInNull",
  "refreshTokenObject",
  "wrongIssuer",
  "issuerWithSlash",
  "noIssuer",
  "noSub",
  "emptySub",
  "numericSub",
  "nullSub",
  "hugeSub",
  "subWithNewline",
  "subWithNul",
  "wrongAud",
  "wrongAudList",
  "emptyAudList",
  "noAud",
  "severalAudNoAzp",
  "severalAudForeignAzp",
  "foreignAzp",
  "noIat",
  "stringIat",
  "futureIat",
  "oldIat",
  "futureNotBefore",
  "noExp",
  "stringExp",
  "expired",
  "wrongNonce",
  "noNonce",
  "algNone",
  "algNoneAdvertised",
  "badSignature",
  "wrongMac",
  "wrongMacAdvertised",
  "publicKeyAsMacSecret",
  "unexpectedAlgorithm",
  "unknownKid",
  "criticalHeader",
  "embeddedKey",
  "encryptedIdToken",
  "garbageIdToken",
  "emptyIdToken",
] as const satisfies readonly FaultName[]

/** Refused under `"strict"` only: see `enforceIssuerChecks` in docs/security-modes.md. */
const strictOnly = {
  issMissing: { compatible: "home", strict: "Configuration" },
  noJwksUri: { compatible: "home", strict: "Configuration" },
  wrongAccessTokenHash: { compatible: "home", strict: "Configuration" },
} satisfies Partial<Record<FaultName, Row>>

const rows: readonly (readonly [FaultName, Row])[] = [
  ...entriesOf(beforeCode),
  ...entriesOf(strictOnly),
  ...harmless.map((name) => [name, "home"] as const),
  ...afterCode.map((name) => [name, "Configuration"] as const),
]

function entriesOf(table: Partial<Record<FaultName, Row>>): (readonly [FaultName, Row])[] {
  // `Object.entries` widens the keys to `string`.
  return Object.entries(table) as [FaultName, Row][]
}

describe.each(modes)("under %s security", (security) => {
  test.each(rows)("the fault %s ends as %o", async (name, row) => {
    const op = createProvider({ faults: faults[name] })
    const { browser, adapter, log } = await open([op.provider()], { security })
    await browser.signInWith(op, { as: "ada" })
    const fate = typeof row === "string" ? row : row[security]

    expect(outcome(browser)).toBe(fate)
    expect((await browser.session()) !== null).toBe(fate === "home")
    expect(adapter.rows().users).toHaveLength(fate === "home" ? 1 : 0)
    expect(adapter.rows().accounts.map(({ providerAccountId }) => providerAccountId)).toEqual(
      fate === "home" ? ["ada"] : [],
    )
    if (name in beforeCode) expect(op.requestsTo("token")).toEqual([])
    expect(log.entries.some(({ level }) => level === "error")).toBe(fate !== "home")
  })

  test.each(rows)("the fault %s doesn't end in a 5xx or appear in a page", async (name) => {
    const op = createProvider({ faults: faults[name] })
    const { browser } = await open([op.provider()], { security })
    await browser.signInWith(op, { as: "ada" })
    expect(browser.trail[0]?.status).toBe(302)
    expect(browser.text).not.toMatch(/<script>alert|<img src=x|evil\.test/)
    expect(Object.prototype).not.toHaveProperty("polluted")
  })
})

test.each(["stateHuge", "codeHuge"] as const)("the fault %s makes the query too long, which gets 400", async (name) => {
  const op = createProvider({ faults: faults[name] })
  const { browser } = await open([op.provider()])
  await browser.signInWith(op, { as: "ada" })
  expect(browser.trail[0]?.status).toBe(400)
  expect(op.requestsTo("token")).toEqual([])
  expect(await browser.session()).toBeNull()
})

test("every fault of an ID token sign-in has a row", () => {
  const elsewhere =
    /^(?:userinfo|signedUserinfo|logout)|^(?:codeReplay|refreshTokenReplay|stateHuge|codeHuge)$|Ignored$/
  const named = new Set<string>(rows.map(([name]) => name))
  expect(Object.keys(faults).filter((name) => !elsewhere.test(name) && !named.has(name))).toEqual([])
})
