import { createPrivateKey, createPublicKey, hash, randomBytes, verify } from "node:crypto"
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { addAuthenticator, type Authenticator } from "../../../tests/browser/authenticator.js"
import { inChromium, type Visit } from "../../../tests/browser/chromium.js"
import { openSite, run, type Site } from "./site.js"

/** A fake passkey server. It verifies nothing; the tests do. */
interface Ceremonies {
  /** Received forms. */
  readonly posted: Record<string, string>[]
  /** Query strings of the requests for options. */
  readonly queries: string[]
  action: "register" | "authenticate"
  challenge: string
  /** Allowed credentials. An empty list allows all. */
  allowed: readonly string[]
}

const provider = { id: "passkey", name: "Passkey", type: "webauthn", signinUrl: "", callbackUrl: "" }
const userHandle = Buffer.from("user handle ÿ").toString("base64url")

function fakePasskeyServer(site: Site): Ceremonies {
  const its: Ceremonies = { posted: [], queries: [], action: "register", challenge: "", allowed: [] }
  site.between = async (request) => {
    const { pathname, search } = new URL(request.url)
    if (pathname === "/auth/providers") {
      return Response.json({ passkey: provider, typed: { ...provider, id: "typed", type: "credentials" } })
    }
    if (pathname === "/auth/webauthn-options/passkey") {
      its.queries.push(search)
      its.challenge = randomBytes(32).toString("base64url")
      return Response.json({ action: its.action, options: its.action === "register" ? creation(its) : assertion(its) })
    }
    if (pathname !== "/auth/callback/passkey") return undefined
    its.posted.push(Object.fromEntries(new URLSearchParams(await request.text())))
    return Response.json({ url: `${site.origin}/welcome` })
  }
  return its
}

function creation({ challenge, allowed }: Ceremonies) {
  return {
    challenge,
    rp: { id: "localhost", name: "Test" },
    user: { id: userHandle, name: "ada@example.test", displayName: "Ada" },
    pubKeyCredParams: [{ type: "public-key", alg: -7 }],
    excludeCredentials: allowed.map((id) => ({ id, type: "public-key" })),
    authenticatorSelection: { residentKey: "required", userVerification: "preferred" },
    extensions: { credProps: true },
  }
}

function assertion({ challenge, allowed }: Ceremonies) {
  return { challenge, rpId: "localhost", allowCredentials: allowed.map((id) => ({ id, type: "public-key" })) }
}

async function openPasskeySite(visit: Visit): Promise<{ site: Site; its: Ceremonies; page: Page }> {
  const site = await openSite({ name: "localhost" })
  site.setup = { props: { session: null } }
  const its = fakePasskeyServer(site)
  const { page } = await visit()
  await page.goto(site.origin)
  return { site, its, page }
}

const decode = (text: unknown) => Buffer.from(String(text), "base64url")

interface Shown {
  readonly id: string
  readonly rawId: string
  readonly type: string
  readonly clientExtensionResults: object
  readonly response: Readonly<Record<string, unknown>>
}

function shownIn(posted: Record<string, string> | undefined, { challenge }: Ceremonies, origin: string): Shown {
  const shown: Shown = JSON.parse(posted?.["data"] ?? "null")
  const client: unknown = JSON.parse(decode(shown.response["clientDataJSON"]).toString())
  expect(client).toMatchObject({ challenge, origin })
  expect(shown).toMatchObject({ id: shown.rawId, type: "public-key" })
  return shown
}

/** Whether the authenticator's key made the signature (WebAuthn Level 2 §7.2 step 20). */
async function isSigned({ id, response }: Shown, { session, authenticatorId }: Authenticator): Promise<boolean> {
  const { credentials } = await session.send("WebAuthn.getCredentials", { authenticatorId })
  const credential = credentials.find(({ credentialId }) => decode(credentialId).equals(decode(id)))
  const key = createPrivateKey({
    key: Buffer.from(credential?.privateKey ?? "", "base64"),
    format: "der",
    type: "pkcs8",
  })
  const data = [decode(response["authenticatorData"]), hash("sha256", decode(response["clientDataJSON"]), "buffer")]
  return verify("sha256", Buffer.concat(data), createPublicKey(key), decode(response["signature"]))
}

const older = `delete PublicKeyCredential.parseCreationOptionsFromJSON
  delete PublicKeyCredential.parseRequestOptionsFromJSON
  delete PublicKeyCredential.prototype.toJSON`
const broken = `PublicKeyCredential.prototype.toJSON = () => { throw new TypeError("Illegal invocation") }`

inChromium("passkeys", (visit) => {
  describe.each([
    ["with a current browser", ""],
    ["with a browser without the JSON methods", older],
    ["with a password manager that breaks toJSON", broken],
  ])("%s", (_, script) => {
    test("registers a passkey and signs in with it, and sends the JSON of the specification", async () => {
      const site = await openSite({ name: "localhost" })
      site.setup = { props: { session: null } }
      const its = fakePasskeyServer(site)
      const { page } = await visit()
      await page.addInitScript(script)
      await page.goto(site.origin)
      const authenticator = await addAuthenticator(page)

      const options = `{ action: "register", email: "ada@example.test", redirect: false }`
      const ok = { error: undefined, code: undefined, status: 200, ok: true, url: `${site.origin}/welcome` }
      expect(await run(page, `signInWithPasskey("passkey", ${options})`)).toEqual(ok)
      const [registered] = its.posted
      expect(its.queries).toEqual(["?action=register&email=ada%40example.test"])
      expect(registered).toMatchObject({
        action: "register",
        email: "ada@example.test",
        csrfToken: expect.stringMatching(/^[0-9a-f]{64}$/),
        callbackUrl: `${site.origin}/`,
      })
      const made = shownIn(registered, its, site.origin)
      expect(made.clientExtensionResults).toEqual({ credProps: { rk: true } })
      expect(made.response["transports"]).toEqual(["internal"])
      expect(decode(made.response["attestationObject"]).includes("authData")).toBe(true)

      its.action = "authenticate"
      its.allowed = [made.id]
      expect(await run(page, `signInWithPasskey("passkey", { redirect: false })`)).toEqual(ok)
      expect(its.posted[1]).toMatchObject({ action: "authenticate", callbackUrl: `${site.origin}/` })
      const shown = shownIn(its.posted[1], its, site.origin)
      expect(shown.response["userHandle"]).toBe(userHandle)
      expect(await isSigned(shown, authenticator)).toBe(true)
    })
  })

  const rejections = [
    ["the user cancels or has no passkey", "NotAllowedError", "", { action: "authenticate" }],
    ["the device already has a passkey of this user", "InvalidStateError", "", { action: "register" }],
    [
      "the browser has no WebAuthn",
      "NotSupportedError",
      "delete window.PublicKeyCredential",
      { action: "authenticate" },
    ],
  ] as const
  test.each(rejections)("throws a DOMException if %s: %s", async (_, name, script, { action }) => {
    const { site, its, page } = await openPasskeySite(visit)
    await addAuthenticator(page)
    if (action === "register") {
      await run(page, `signInWithPasskey("passkey", { redirect: false })`)
      its.allowed = [shownIn(its.posted[0], its, site.origin).id]
    }
    its.action = action
    if (script !== "") await page.evaluate(script)
    const posted = its.posted.length
    for (const redirect of [true, false]) {
      await expect(run(page, `signInWithPasskey("passkey", { redirect: ${redirect} })`)).rejects.toThrow(name)
    }
    expect(its.posted).toHaveLength(posted)
    expect(page.url()).toBe(`${site.origin}/`)
  })

  test("a passkey that the server didn't store is deleted again", async () => {
    const { site, its, page } = await openPasskeySite(visit)
    const { session, authenticatorId } = await addAuthenticator(page)
    const stored = async () => (await session.send("WebAuthn.getCredentials", { authenticatorId })).credentials.length
    const { between } = site
    let error = "Configuration"
    site.between = async (request) =>
      request.url.includes("/callback/")
        ? Response.json({ url: `${site.origin}/auth/signin?error=${error}` })
        : between(request)
    const register = () => run(page, `signInWithPasskey("passkey", { action: "register", redirect: false })`)
    expect(await register()).toMatchObject({ ok: false, error })
    expect(await stored()).toBe(1)
    error = "AccountNotLinked"
    await session.send("WebAuthn.clearCredentials", { authenticatorId })
    expect(await register()).toMatchObject({ ok: false, error })
    await expect.poll(stored).toBe(0)
    expect(its.queries).toHaveLength(2)
  })

  const refusals = [
    ["400", () => Response.json({ error: "Invalid request" }, { status: 400 }), "Configuration"],
    ["429", () => new Response("<html>", { status: 429 }), "RateLimited"],
    ["no options", () => Response.json({ action: "register" }), "Configuration"],
  ] as const
  test.each(refusals)(
    "if the server refuses with %s, it stays on the page and the result has the error",
    async (_, answer, error) => {
      const { site, its, page } = await openPasskeySite(visit)
      await addAuthenticator(page)
      const { between } = site
      site.between = async (request) => (request.url.includes("webauthn-options") ? answer() : between(request))
      const result = { error, code: undefined, status: answer().status, ok: false, url: null }
      for (const more of ["", "useBrowserAutofill: true,"]) {
        expect(await run(page, `signInWithPasskey("passkey", { ${more} redirect: false })`)).toEqual(result)
        expect(await run(page, `signInWithPasskey("passkey", { ${more} })`)).toBeUndefined()
      }
      expect(its.posted).toEqual([])
      expect(page.url()).toBe(`${site.origin}/`)
    },
  )

  describe("with useBrowserAutofill", () => {
    test("signs in when the user selects a passkey, and doesn't send its own options to the server", async () => {
      const { site, its, page } = await openPasskeySite(visit)
      await addAuthenticator(page)
      await run(page, `signInWithPasskey("passkey", { redirect: false })`)
      its.action = "authenticate"
      const options = `{ useBrowserAutofill: true, signal: new AbortController().signal, redirect: false }`
      expect(await run(page, `signInWithPasskey("passkey", ${options})`)).toMatchObject({ ok: true })
      expect(its.queries).toEqual(["", "?action=authenticate"])
      expect(Object.keys(its.posted[1] ?? {}).toSorted()).toEqual(["action", "callbackUrl", "csrfToken", "data"])
      expect(shownIn(its.posted[1], its, site.origin).response["userHandle"]).toBe(userHandle)
    })

    test("ends without an exception when the user selects a button or the application aborts", async () => {
      const { its, page } = await openPasskeySite(visit)
      await addAuthenticator(page, { automaticPresenceSimulation: false })
      its.action = "authenticate"
      const autofill = (signal: string) =>
        run(page, `signInWithPasskey("passkey", { useBrowserAutofill: true, redirect: false, signal: ${signal} })`)
      const aborted = { error: "AbortError", code: undefined, status: 0, ok: false, url: null }
      const first = autofill("undefined")
      await expect.poll(() => its.queries.length).toBe(1)
      const button = run(page, `signInWithPasskey("passkey", { redirect: false }).catch(({ name }) => name)`)
      expect(await first).toEqual(aborted)
      await expect.poll(() => its.queries.length).toBe(2)
      const second = autofill("(window.leaving = new AbortController()).signal")
      expect(await button).toBe("AbortError")
      await expect.poll(() => its.queries.length).toBe(3)
      await page.evaluate("leaving.abort()")
      expect(await second).toEqual(aborted)
      expect(await autofill("leaving.signal")).toEqual(aborted)
      expect(its.posted).toEqual([])
    })

    test("gets new options before the challenge expires", async () => {
      const { its, page } = await openPasskeySite(visit)
      await page.clock.install()
      const authenticator = await addAuthenticator(page, { automaticPresenceSimulation: false })
      await run(page, "signInWithPasskey") // waits for the script
      its.action = "authenticate"
      const result = run(page, `signInWithPasskey("passkey", { useBrowserAutofill: true, redirect: false })`)
      await expect.poll(() => its.queries.length).toBe(1)
      // The page may not have the response yet, and sets its timer afterwards.
      const later = async () => {
        await page.clock.fastForward("10:01")
        return its.queries.length
      }
      await expect.poll(later).toBeGreaterThan(1)
      await page.evaluate("void app.signInWithPasskey('passkey').catch(() => {})")
      expect(await result).toMatchObject({ error: "AbortError" })
      await authenticator.session.detach()
    })

    test("does nothing in a browser without it", async () => {
      const { its, page } = await openPasskeySite(visit)
      await page.evaluate("PublicKeyCredential.isConditionalMediationAvailable = undefined")
      const call = (options: string) =>
        run(page, `signInWithPasskey("passkey", { useBrowserAutofill: true, ${options} })`)
      expect(await call("redirect: false")).toMatchObject({ ok: false, error: "NotSupportedError", status: 0 })
      expect(await call("")).toBeUndefined()
      expect(its.queries).toEqual([])
    })
  })

  test("each entry point refuses the providers of the other", async () => {
    const site = await openSite({ name: "localhost" })
    site.setup = { props: { session: null } }
    fakePasskeyServer(site)
    const { page } = await visit()
    await page.goto(site.origin)
    await expect(run(page, `signInWithPasskey("typed")`)).rejects.toThrow(/TypeError: "typed" isn't a passkey provider/)
    await expect(run(page, `signInWithPasskey()`)).rejects.toThrow(/TypeError: "" isn't a passkey provider/)
    await expect(run(page, `signIn("passkey")`)).rejects.toThrow(/TypeError: "passkey" is a passkey provider/)
  })
})
