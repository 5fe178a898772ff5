import { createPrivateKey, createPublicKey, hash, randomBytes, verify } from "node:crypto"
import type { CDPSession, Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { inChromium } from "../../../tests/browser/chromium.js"
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

interface Authenticator {
  readonly session: CDPSession
  readonly authenticatorId: string
}

async function addAuthenticator(page: Page): Promise<Authenticator> {
  const session = await page.context().newCDPSession(page)
  await session.send("WebAuthn.enable")
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const
  return { session, ...(await session.send("WebAuthn.addVirtualAuthenticator", { options })) }
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

  test("throws if the browser refuses an excluded passkey", async () => {
    const site = await openSite({ name: "localhost" })
    site.setup = { props: { session: null } }
    const its = fakePasskeyServer(site)
    const { page } = await visit()
    await page.goto(site.origin)
    await addAuthenticator(page)
    await run(page, `signInWithPasskey("passkey", { redirect: false })`)
    its.allowed = [shownIn(its.posted[0], its, site.origin).id]
    await expect(run(page, `signInWithPasskey("passkey", { redirect: false })`)).rejects.toThrow("InvalidStateError")
    expect(its.posted).toHaveLength(1)
  })

  test("without options from the server, it resolves to an error and doesn't ask the browser", async () => {
    const site = await openSite({ name: "localhost" })
    site.setup = { props: { session: null } }
    const { page } = await visit()
    await page.goto(site.origin)
    for (const answer of [
      () => Response.json({ error: "no" }, { status: 400 }),
      () => Response.json({ action: "register" }),
    ]) {
      fakePasskeyServer(site)
      const { between } = site
      site.between = async (request) => (request.url.includes("webauthn-options") ? answer() : between(request))
      const status = answer().status
      const result = { error: "Configuration", code: undefined, status, ok: false, url: null }
      expect(await run(page, `signInWithPasskey("passkey", { redirect: false })`)).toEqual(result)
    }
  })

  test("each entry point refuses the providers of the other", async () => {
    const site = await openSite({ name: "localhost" })
    site.setup = { props: { session: null } }
    fakePasskeyServer(site)
    const { page } = await visit()
    await page.goto(site.origin)
    await expect(run(page, `signInWithPasskey("typed")`)).rejects.toThrow(/TypeError: "typed" isn't a passkey provider/)
    await expect(run(page, `signIn("passkey")`)).rejects.toThrow(/TypeError: "passkey" is a passkey provider/)
  })
})
