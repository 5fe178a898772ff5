import { randomBytes } from "node:crypto"
import { memoryAdapter, type MemoryAdapter } from "@latchkey/adapter-kit/memory"
import Passkey from "@latchkey/express/providers/passkey"
import { type Authenticator, createAuthenticator } from "@latchkey/testing"
import type { Express, RequestHandler } from "express"
import { describe, expect, test } from "vitest"
import { ExpressAuth, type ExpressAuthConfig, getSession } from "../src/index.js"
import { expressOf, majors } from "./majors.js"
import { type Answer, serve } from "./served.js"
import { visit, type Visitor } from "./visitor.js"
import { trackSecret } from "../../testing/src/secrets.js"

const secret = randomBytes(48).toString("base64url")
trackSecret("secret of the configuration", secret)

type Encoding = "a form" | "JSON"

interface App {
  readonly origin: string
  readonly adapter: MemoryAdapter
  readonly visitor: Visitor
}

/** An application on localhost, because an IP address can't have passkeys (WebAuthn Level 3 §5.1.3). */
async function start(app: Express, parsers: readonly RequestHandler[]): Promise<App> {
  const adapter = memoryAdapter()
  const config: ExpressAuthConfig = {
    secret,
    trustHost: true,
    adapter,
    providers: [Passkey()],
    session: { strategy: "jwt" },
    experimental: { enableWebAuthn: true },
    logger: { error: () => {}, warn: () => {} },
  }
  for (const parser of parsers) app.use(parser)
  app.use("/auth", ExpressAuth(config))
  app.get("/me", (req, res, next) => {
    getSession(req, { ...config, basePath: "/auth" }).then((session) => res.json(session?.user ?? null), next)
  })
  const { port } = new URL(await serve(app))
  const origin = `http://localhost:${port}`
  return { origin, adapter, visitor: visit(`http://127.0.0.1:${port}/auth`, { host: `localhost:${port}` }) }
}

interface Ceremony {
  readonly action: "register" | "authenticate"
  readonly encoding: Encoding
  readonly query?: string
}

/** Asks for options and posts what the authenticator answers. */
async function usePasskey(
  { origin, visitor }: App,
  authenticator: Authenticator,
  { action, encoding, query = "" }: Ceremony,
): Promise<Answer> {
  const asked = await visitor.ask(`/webauthn-options/passkey?action=${action}${query}`)
  const { options } = JSON.parse(asked.body)
  const answer = await (action === "register"
    ? authenticator.create(options, { origin })
    : authenticator.get(options, { origin }))
  const { csrfToken } = JSON.parse((await visitor.ask("/csrf")).body)
  const fields = { csrfToken, action, data: JSON.stringify(answer), callbackUrl: "/welcome" }
  const isForm = encoding === "a form"
  return visitor.ask("/callback/passkey", {
    method: "POST",
    headers: { "content-type": isForm ? "application/x-www-form-urlencoded" : "application/json" },
    body: isForm ? String(new URLSearchParams(fields)) : JSON.stringify(fields),
  })
}

const me = async ({ visitor }: App): Promise<unknown> => JSON.parse((await visitor.ask("/../me")).body)

describe.each(majors)("Express %s", (major) => {
  const express = expressOf(major)
  const parsers: readonly (readonly [name: string, RequestHandler[]])[] = [
    ["without a body parser", []],
    ["behind express.urlencoded() and express.json()", [express.urlencoded({ extended: false }), express.json()]],
    ["behind express.urlencoded({ extended: true })", [express.json(), express.urlencoded({ extended: true })]],
    ["behind express.text()", [express.text({ type: "*/*" })]],
  ]

  describe.each(parsers)("%s", (_, list) => {
    test.each(["a form", "JSON"] as const)(
      "a visitor signs up with a passkey, signs out and signs in again with %s",
      async (encoding) => {
        const app = await start(express(), list)
        const authenticator = createAuthenticator({ origin: app.origin })
        const query = `&email=${encodeURIComponent("ada@example.test")}`
        const registered = await usePasskey(app, authenticator, { action: "register", encoding, query })
        expect([registered.status, registered.headers.location]).toEqual([302, `${app.origin}/welcome`])
        expect(await me(app)).toMatchObject({ email: "ada@example.test" })
        await app.visitor.post("/signout")
        expect(await me(app)).toBeNull()
        const signedIn = await usePasskey(app, authenticator, { action: "authenticate", encoding })
        expect(signedIn.headers.location).toBe(`${app.origin}/welcome`)
        expect(await me(app)).toMatchObject({ email: "ada@example.test" })
        expect(app.adapter.rows().authenticators).toHaveLength(1)
      },
    )
  })

  test("a passkey of another site is refused, and nothing is stored", async () => {
    const app = await start(express(), [express.json(), express.urlencoded({ extended: false })])
    const authenticator = createAuthenticator({ origin: "http://localhost:1" })
    const elsewhere = { ...app, origin: "http://localhost:1" }
    const query = "&email=ada@example.test"
    const refused = await usePasskey(elsewhere, authenticator, { action: "register", encoding: "a form", query })
    expect(refused.headers.location).toBe(`${app.origin}/auth/error?error=WebAuthnVerificationError`)
    expect(app.adapter.rows()).toMatchObject({ users: [], accounts: [], authenticators: [] })
  })
})
