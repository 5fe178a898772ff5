// Where sign-ins end that fail, with `@auth/core` and with Latchkey.
import { customFetch as theirFetch } from "@auth/core"
import type { Provider as PublishedProvider } from "@auth/core/providers"
import { customFetch } from "@latchkey/core"
import { createProvider, type FakeProvider, type FaultName, faults } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { byName, secret, swap } from "./applications.js"

/** The provider for both libraries. */
function providers(op: FakeProvider) {
  const ours = op.provider()
  const { [customFetch]: fetch, ...rest } = ours
  // The types of the two libraries name the same fields.
  const theirs = { ...rest, checks: ["pkce", "state", "nonce"], [theirFetch]: fetch } as unknown as PublishedProvider
  return { ours, theirs }
}

async function ends(name: FaultName, pages: { readonly signIn?: string; readonly error?: string } = {}) {
  const run = async (side: "theirs" | "ours") => {
    const op = createProvider({ faults: faults[name] })
    const { ours, theirs } = providers(op)
    const log: string[] = []
    const logger = { error: (error: Error) => void log.push(error.name), warn: () => {}, debug: () => {} }
    const both = await swap({
      theirs: { providers: [theirs], secret, pages, logger },
      ours: { providers: [ours], secret, pages, logger },
    })
    const browser = both[side]
    await browser.signInWith(op, { as: "ada" })
    const { pathname, searchParams } = new URL(browser.location)
    return { page: `${pathname}?error=${searchParams.get("error")}`, status: browser.trail[0]?.status, log: log[0] }
  }
  return { theirs: await run("theirs"), ours: await run("ours") }
}

const atStart: readonly FaultName[] = [
  "discoveryUnreachable",
  "discoveryServerError",
  "discoveryNotFound",
  "discoveryHtml",
  "discoveryNoIssuer",
  "discoveryWrongIssuer",
]

const atCallback: readonly FaultName[] = [
  "tokenUnreachable",
  "tokenServerError",
  "tokenError",
  "tokenErrorIn200",
  "tokenHtml",
  "tokenNotJson",
  "tokenEmpty",
  "tokenRedirect",
  "codeMissing",
  "codeUnknown",
  "noIdToken",
  "noAccessToken",
  "wrongIssuer",
  "wrongAud",
  "expired",
  "wrongNonce",
  "garbageIdToken",
  "issMismatch",
]

describe.each([
  ["built-in pages", {}, "/auth/error"],
  ["custom pages", { signIn: "/login", error: "/oops" }, "/oops"],
])("with %s", (_, pages, errorPage) => {
  test.each(atStart)("a start with the fault %s ends on the same page", async (name) => {
    const { theirs, ours } = await ends(name, pages)
    expect(theirs).toMatchObject({ page: `${errorPage}?error=Configuration`, status: 302 })
    expect(ours).toMatchObject({ page: theirs.page, status: theirs.status })
  })

  test.each(atCallback)("a callback with the fault %s ends on the same page with the same error", async (name) => {
    const { theirs, ours } = await ends(name, pages)
    expect(theirs).toEqual({ page: `${errorPage}?error=Configuration`, status: 302, log: "CallbackRouteError" })
    expect(ours).toEqual(theirs)
  })

  test("a provider that refuses leads to the sign-in page", async () => {
    const { theirs, ours } = await ends("errorWithCode", pages)
    expect(theirs.page).toMatch(/^\/(?:auth\/signin|login)\?error=OAuthCallbackError$/)
    expect(ours).toEqual(theirs)
  })
})

test("a custom sign-in page that starts the sign-in by itself doesn't loop while the provider is down", async () => {
  const op = createProvider({ faults: faults.tokenServerError })
  const { ours, theirs } = providers(op)
  const pages = { signIn: "/login" }
  const both = await swap({
    theirs: { providers: [theirs, byName], secret, pages },
    ours: { providers: [ours, byName], secret, pages },
  })
  for (const browser of [both.theirs, both.ours]) {
    await browser.signInWith(op, { as: "ada" })
    expect(new URL(browser.location).pathname).toBe("/auth/error")
  }
})
