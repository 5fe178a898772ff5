import { type Fault, faults } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { appOf, compatible, hardened, whoIs, world } from "./setup.js"

type Security = Parameters<typeof appOf>[1]["security"]

async function signInAgainst(security: Security, fault: Fault | undefined, query: Record<string, string> = {}) {
  const its = world()
  if (fault !== undefined) its.op.inject(fault)
  const browser = await appOf(its, { security })
  await browser.signInWith(its.op, { as: "ada", query })
  return browser
}

const noAcr: Fault = {
  idToken: (token) => {
    const { acr: _, ...claims } = token.claims
    return { ...token, claims }
  },
}

/** What a server may leave out although it announced it or we asked for it. */
const omissions = [
  ["`iss` of an answer, although the metadata announce it", faults.issMissing, {}],
  ["`acr`, although one was asked for", noAcr, { acr_values: "phr" }],
  ["the access token that the ID token names (`at_hash`)", faults.wrongAccessTokenHash, {}],
] as const

describe.each(compatible("enforceIssuerChecks", false))("under %s", (_, security) => {
  test.each(omissions)("a missing `iss` is accepted: %s", async (_, fault, query) => {
    expect(await whoIs(await signInAgainst(security, fault, query))).toBe("ada@example.test")
  })
})

describe.each(hardened("enforceIssuerChecks", true))("under %s", (_, security) => {
  test("a server that sends the announced `iss` is accepted", async () => {
    expect(await whoIs(await signInAgainst(security, undefined))).toBe("ada@example.test")
  })

  test.each(omissions)("a missing `iss` is refused: %s", async (_, fault, query) => {
    const browser = await signInAgainst(security, fault, query)
    expect(browser.location).toMatch(/error=(?:Configuration|OAuthCallbackError)/)
    expect(await browser.session()).toBeNull()
  })
})

const modes = ["compatible", "strict"] as const
const falsehoods = ["issMismatch", "wrongIssuer", "foreignAzp", "severalAudForeignAzp"] as const

test.each(modes.flatMap((mode) => falsehoods.map((fault) => [fault, mode] as const)))(
  "a fault is refused in every mode: %s (%s)",
  async (fault, mode) => {
    const browser = await signInAgainst(mode, faults[fault])
    expect(browser.location).toContain("error=Configuration")
    expect(await browser.session()).toBeNull()
  },
)
