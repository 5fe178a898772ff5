import { createServer } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import credentials from "@latchkey/core/providers/credentials"
import { createProvider } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { open } from "../flows/oauth/app.js"
import { cookieNames, csrfPair, location, origin, secret } from "../http/app.js"
import { cookiesOf, door, session, sessionName, whoIs } from "./door-setup.js"
import { bare, form } from "./surface-setup.js"

/** The claim `notes` has this many characters after a sign-in or an update. */
function withNotes(size: { notes: number }): Partial<AuthConfig> {
  return { callbacks: { jwt: ({ token, trigger }) => (trigger ? { ...token, notes: "n".repeat(size.notes) } : token) } }
}

attack("CK-03", "a session of too many parts isn't sealed, and the error names the largest claim", async (mode) => {
  const size = { notes: 10 }
  const app = door(mode, withNotes(size))
  const before = await session(app)
  for (const notes of [15_000, 60_000]) {
    size.notes = notes
    const response = await app.post("/auth/callback/credentials", { name: "bob", password: "open" }, { cookie: before })
    expect(location(response)).toBe(`${origin}/auth/error?error=Configuration`)
    expect(cookieNames(response).filter((name) => name.startsWith(sessionName(mode)))).toEqual([])
    expect(app.log.entries.at(-1)?.text).toMatch(/may have 5.*"notes" with 1?[56]\d{3,4} characters/)
    expect(await whoIs(app, before)).toBe("ada")
  }
})

attack("CK-03", "a session of more parts than Node.js accepts is one warning, with its sizes", async (mode) => {
  const size = { notes: 8000 }
  const app = door(mode, withNotes(size))
  const warned = () => app.log.entries.filter(({ message }) => message === "large-session").map(({ text }) => text)
  const three = await session(app)
  expect([three.match(/session-token\.\d=/g)?.length, warned()]).toEqual([3, []])
  size.notes = 9500
  for (let round = 0; round < 3; round++) expect((await session(app)).match(/session-token\.\d=/g)).toHaveLength(4)
  expect(warned()).toEqual([
    expect.stringMatching(/needs 4 cookies with 1[2-5]\d{3} characters.*431.*"notes" with 95\d\d/),
  ])
})

attack("CK-03", "a session of five parts works, and one that shrinks leaves no parts behind", async (mode) => {
  const size = { notes: 14_000 }
  const app = door(mode, withNotes(size))
  const large = await session(app)
  expect(large.match(/session-token\.\d=/g)).toHaveLength(5)
  expect(await whoIs(app, large)).toBe("ada")
  const [first = "", ...others] = large.split("; ")
  expect(await whoIs(app, [...others, first].join("; "))).toBe("ada")
  expect(await whoIs(app, others.join("; "))).toBeNull()
  size.notes = 10
  const smaller = await app.post("/auth/callback/credentials", { name: "bob", password: "open" }, { cookie: large })
  const cleared = smaller.headers.getSetCookie().filter((line) => /session-token\.\d=;.*Max-Age=0/.test(line))
  expect(cleared).toHaveLength(5)
  expect(await whoIs(app, cookiesOf(smaller))).toBe("bob")
})

attack("CK-03", "an update that makes the session too large leaves it as it was", async (mode) => {
  const size = { notes: 10 }
  const app = door(mode, withNotes(size))
  const cookie = await session(app)
  size.notes = 60_000
  const { token, cookie: pair } = await csrfPair(app.send)
  const update = await app.send("/auth/session", {
    ...form(JSON.stringify({ csrfToken: token, data: {} }), "application/json"),
    headers: { "content-type": "application/json", cookie: `${pair}; ${cookie}` },
  })
  expect([update.status, cookieNames(update)]).toEqual([200, []])
  expect(await update.json()).toMatchObject({ user: { name: "ada" } })
  expect(app.log.entries.at(-1)?.text).toContain('"notes" with 60002 characters')
  expect(await whoIs(app, cookie)).toBe("ada")
})

attack("SSRF-03", "a photo that is too large doesn't keep the user from signing in, nor fill cookies", async (mode) => {
  const stored: (number | undefined)[] = []
  for (const characters of [100, 60_000, 1_200_000]) {
    const op = createProvider()
    const image = `data:image/jpeg;base64,${"A".repeat(characters)}`
    const profile = ({ sub, name }: { sub: string; name: string }) => ({ id: sub, name, image })
    const { browser, adapter } = await open([op.provider({ profile })], {
      security: mode,
      session: { strategy: "jwt" },
    })
    await browser.signInWith(op, { as: "ada" })
    const found = await browser.session()
    expect(found).toMatchObject({ user: { name: "Ada Lovelace" } })
    expect(JSON.stringify(found).includes("data:image")).toBe(characters === 100)
    expect([...browser.cookies].length).toBeLessThan(6)
    stored.push(adapter.rows().users[0]?.image?.length)
  }
  expect(stored).toEqual([123, 60_023, undefined])
})

attack("CRED-01", "authorize() gets short texts only, and under strict only declared fields", async (mode) => {
  const seen: unknown[] = []
  const provider = credentials({
    credentials: { name: {}, password: {} },
    authorize(given) {
      seen.push(given)
      return null
    },
  })
  const { send } = bare(mode, { providers: [provider], rateLimit: false })
  const { token, cookie } = await csrfPair(send)
  const post = (body: object) =>
    send("/auth/callback/credentials", {
      ...form(JSON.stringify({ csrfToken: token, ...body }), "application/json"),
      headers: { "content-type": "application/json", cookie },
    })
  const refused = [
    { name: { $ne: null }, password: "x" },
    { name: "ada", password: ["x"] },
    { name: "ada", password: { $gt: "" } },
    { name: "ada", other: [[]] },
    { name: "ada", password: "p".repeat(mode === "strict" ? 4097 : 16_385) },
    { name: "ada", other: "o".repeat(30_000) },
    Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`f${index}`, ""])),
  ]
  for (const body of refused) expect(location(await post(body))).toContain("error=CredentialsSignin")
  expect(seen).toEqual([])
  await post({ name: "ada", password: "p".repeat(mode === "strict" ? 4096 : 16_384), other: "code" })
  expect(Object.keys(seen[0] ?? {})).toEqual(
    mode === "strict" ? ["name", "password"] : ["csrfToken", "name", "password", "other"],
  )
})

interface Encoded {
  readonly headers?: Record<string, string>
  readonly body: BodyInit
}

const encoded: Readonly<Record<string, (fields: readonly (readonly [string, string])[]) => Encoded>> = {
  form: (fields) => ({ body: new URLSearchParams(fields.map(([name, value]) => [name, value])) }),
  multipart(fields) {
    const body = new FormData()
    for (const [name, value] of fields) body.append(name, value)
    return { body }
  },
  JSON: (fields) => ({
    headers: { "content-type": "application/json" },
    body: `{${fields.map(([name, value]) => `${JSON.stringify(name)} : ${JSON.stringify(value)}`).join(", ")}}`,
  }),
}

attack("CRED-01", "a repeated field is refused under strict, and its last value counts otherwise", async (mode) => {
  for (const [type, encode] of Object.entries(encoded)) {
    for (const name of ["user", "email", "password"]) {
      const seen: unknown[] = []
      const provider = credentials({
        credentials: { user: {}, email: {}, password: {} },
        authorize: (given) => (seen.push(given[name as "user"]), null),
      })
      const { send, log } = bare(mode, { providers: [provider], rateLimit: { limits: { credentials: strictLimits } } })
      const { token, cookie } = await csrfPair(send)
      const attempt = async (first: string) => {
        const fields = [
          ["csrfToken", token],
          [name, first],
          ["other", '}{][",:'],
          [name, "last"],
        ] as const
        const { headers, body } = encode(fields)
        return send("/auth/callback/credentials", { method: "POST", headers: { ...headers, cookie }, body })
      }
      const answer = await attempt("first")
      expect(location(answer)).toContain("error=CredentialsSignin")
      expect(seen, type).toEqual(mode === "strict" ? [] : ["last"])
      if (mode === "strict") expect(log.entries.at(-1)?.text).toContain(`The field "${name}" is there more than once`)
      // The limiter counts the same value.
      else if (name !== "password") expect([(await attempt("another")).status, seen.length]).toEqual([429, 1])
    }
  }
})

const strictLimits = { identifier: { points: 1, seconds: 90 } }

attack("CRED-01", "the script of a page learns which field was refused", async (mode) => {
  const provider = credentials({ credentials: { user: {}, password: {} }, authorize: () => null })
  const { send } = bare(mode, { providers: [provider] })
  const { token, cookie } = await csrfPair(send)
  const answer = await send("/auth/callback/credentials", {
    method: "POST",
    headers: { cookie, accept: "application/json", "content-type": "application/json" },
    body: JSON.stringify({ csrfToken: token, user: ["ada"], password: "x" }),
  })
  expect(answer.status).toBe(401)
  expect(await answer.json()).toMatchObject({ status: "error", error: { code: "CredentialsSignin", field: "user" } })
})

const foreign = (count: number, length = 1) =>
  Array.from({ length: count }, (_, index) => `c${index}=${"x".repeat(length)}`).join("; ")

attack("DOS-02", "too many or too long cookies get 431, and too long queries 400", async (mode) => {
  const app = door(mode)
  const own = await session(app)
  for (const cookie of [foreign(500), `x=${"a".repeat(20_000)}`, foreign(40, 2000)]) {
    for (const route of ["session", "csrf", "signin", "providers"])
      expect((await app.get(`/auth/${route}`, { cookie: `${own}; ${cookie}` })).status).toBe(431)
    const out = await app.post("/auth/signout", {}, { cookie })
    expect([out.status, cookieNames(out)]).toEqual([431, []])
  }
  for (const query of ["q=".padEnd(8192, "a"), "a=1&".repeat(5000), "&a".repeat(101)])
    expect((await app.get(`/auth/signin?${query}`)).status).toBe(400)
  expect((await app.get(`/auth/session`, { cookie: `${foreign(100, 80)}; ${own}` })).status).toBe(200)
})

attack(
  "DOS-02",
  "a page reads the session from the cookies within the limits, and never guesses without",
  async (mode) => {
    const app = door(mode)
    const own = await session(app)
    const server = createServer({ secret, providers: [], ...app.config })
    const read = (cookie: string) => server.session({ headers: new Headers({ cookie }), origin })
    for (const cookie of [foreign(170), foreign(14, 2000), `x=${"a".repeat(20_000)}`])
      expect((await read(`${cookie}; ${own}`)).session?.user?.name).toBe("ada")
    for (const cookie of [foreign(180), foreign(17, 2000)]) {
      const seen = await read(`${cookie}; ${own}`)
      expect([seen.session, seen.cookies]).toEqual([null, []])
      expect(seen.error?.message).toContain("too many cookies")
    }
  },
)
