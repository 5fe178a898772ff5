import { createServer } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import { createProvider } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, strictAttack } from "../../../../tests/attack.js"
import { secret, typed } from "../http/app.js"
import { appOf, mailer, whoIs, world } from "../modes/setup.js"
import { bare } from "./surface-setup.js"

const victim = "ada@example.test"

/** Ada has an account at `op`. Mallory's own provider claims that Mallory has Ada's email. */
async function trap(mode: "strict" | "compatible", verified: boolean | undefined, plain = false) {
  const its = world()
  const errors: string[] = []
  const providers = [its.op.provider(), plain ? its.other.oauthProvider() : its.other.provider()]
  const events = { signInFailure: ({ error }: { error: Error }) => void errors.push(error.message) }
  const config: Partial<AuthConfig> = { security: mode, providers, events }
  const owner = await appOf(its, config)
  await owner.signInWith(its.op, { as: "ada" })
  its.other.people["mallory"] = {
    sub: "mallory",
    email: victim,
    ...(verified !== undefined && { email_verified: verified }),
  }
  const mallory = owner.fresh()
  await mallory.signInWith(its.other, { as: "mallory" })
  return { its, owner, mallory, errors }
}

attack(
  "ENUM-02",
  "a sign-in with another user's email is refused: no session, no account, and no change for its owner",
  async (mode) => {
    for (const verified of [true, false, undefined]) {
      const { its, owner, mallory, errors } = await trap(mode, verified)
      expect(await mallory.session()).toBeNull()
      expect(mallory.text).not.toContain(victim)
      expect(its.adapter.rows().users.map(({ email }) => email)).toEqual([victim])
      expect(its.adapter.rows().accounts).toHaveLength(1)
      expect(await whoIs(owner)).toBe(victim)
      expect(errors).toHaveLength(1)
    }
  },
)

strictAttack(
  "ENUM-02",
  "linking",
  "a user without a verified email gets the error of any sign-in that the provider refuses",
  async () => {
    for (const plain of [true, false]) {
      for (const verified of [false, undefined]) {
        const { its, mallory } = await trap("strict", verified, plain)
        const refused = [mallory.location, mallory.text]
        const broken = await appOf(its, { security: "strict", providers: [its.other.provider()] })
        its.other.inject({
          authorize: ({ state }) => ({ error: "access_denied", ...(state === undefined ? {} : { state }) }),
        })
        await broken.signInWith(its.other, { as: "mallory" })
        const token = /value="[0-9a-f]{64}"/g
        expect(refused[0]).toBe(broken.location)
        expect(refused[0]).not.toContain("NotLinked")
        expect(refused[1]?.match(/<p[^>]*>.*?<\/p>/g)).toEqual(broken.text.match(/<p[^>]*>.*?<\/p>/g))
        expect(refused[1]).toMatch(token)
      }
    }
  },
)

attack("ENUM-02", "a user with a verified email is told to sign in with the existing account", async (mode) => {
  const { mallory } = await trap(mode, true)
  expect(mallory.location).toBe("https://app.test/auth/signin?error=OAuthAccountNotLinked")
})

attack(
  "ENUM-02",
  "a request for a link gets the same response whether the email has an account or not",
  async (mode) => {
    const its = world()
    const { provider, links } = mailer()
    const browser = await appOf(its, { security: mode, providers: [its.op.provider(), provider] })
    await browser.signInWith(its.op, { as: "ada" })
    const [known, unknown] = [browser.fresh(), browser.fresh()]
    await known.signIn("mail", { email: victim })
    await unknown.signIn("mail", { email: "unknown@example.test" })
    const seen = [known, unknown].map(({ location, text, cookies }, index) => [
      location,
      // The nonce of the page, the CSRF token of its form and what the visitor typed differ for each visitor.
      text
        .replaceAll([victim, "unknown@example.test"][index] ?? "", "")
        .replaceAll(/nonce="[^"]*"|value="[0-9a-f]{64}"/g, ""),
      cookies.map(({ name }) => name.replace(/[0-9a-f]{16}$/, "")),
    ])
    expect(seen[0]).toEqual(seen[1])
    expect(links).toHaveLength(2)
  },
)

attack(
  "ENUM-03",
  "the provider list contains only the providers of the tenant, each with only what a button needs",
  async (mode) => {
    const first = createProvider({ id: "first", issuer: "https://first-op.test" })
    const second = createProvider({ id: "second", issuer: "https://second-op.test" })
    const common = { security: mode, secret, trustHost: ["one.test", "two.test"] } as const
    const one: AuthConfig = { ...common, providers: [first.provider({ name: "First" }), typed] }
    const two: AuthConfig = { ...common, providers: [second.provider({ name: "Second" })] }
    const server = createServer((visitor) => (visitor?.origin === "https://one.test" ? one : two))
    const list = async (host: string) => {
      const response = await server.handle(new Request(`https://${host}/auth/providers`))
      const body: unknown = await response.json()
      return body
    }
    const of = (host: string, id: string, name: string, type: string) => ({
      [id]: {
        id,
        name,
        type,
        signinUrl: `https://${host}/auth/signin/${id}`,
        callbackUrl: `https://${host}/auth/callback/${id}`,
      },
    })
    expect(await list("one.test")).toEqual({
      ...of("one.test", "first", "First", "oidc"),
      ...of("one.test", "credentials", "Credentials", "credentials"),
    })
    expect(await list("two.test")).toEqual(of("two.test", "second", "Second", "oidc"))
    for (const id of ["first", "credentials"]) {
      for (const action of ["signin", "callback"]) {
        const response = await server.handle(new Request(`https://two.test/auth/${action}/${id}`))
        expect(response.status).toBe(404)
      }
    }
  },
)

attack(
  "ENUM-03",
  "a request for any unknown provider gets the same response, which repeats nothing of the request",
  async (mode) => {
    const { get, post, send } = bare(mode)
    const answers = new Set<string>()
    for (const id of [
      "google",
      "GitHub",
      "op2",
      "__proto__",
      "constructor",
      "%3Cscript%3E",
      "op%00",
      "credentials.json",
    ]) {
      for (const action of ["signin", "callback"]) {
        const path = `/auth/${action}/${id}`
        const responses = [await get(path), await post(path), await send(path, { method: "POST" })]
        for (const response of responses) {
          expect([response.status, response.headers.getSetCookie()]).toEqual([404, []])
          answers.add(await response.text())
        }
      }
    }
    expect([...answers]).toEqual(['"Not found."'])
  },
)
