import { createServer } from "@latchkey/core/server"
import type { JWT } from "@latchkey/core/types"
import { expect } from "vitest"
import { attack, strictAttack } from "../../../../tests/attack.js"
import { csrfPair, location, origin, secret, sessionOf } from "../http/app.js"
import { cookiesOf, type Door, door, session, sessionName, whoIs } from "./door-setup.js"

const ada = { name: "ada", password: "open" }

/** The `Set-Cookie` lines of every type of sign-in and of sign-out. */
async function linesOf({ get, post, op, mails }: Door): Promise<readonly string[]> {
  const begun = await post("/auth/signin/op", { callbackUrl: "/a" })
  const answer = await op.authorize(location(begun) ?? "", { as: "ada" })
  const back = (answer.method === "GET" ? answer.location : "").slice(origin.length)
  const mailed = await post("/auth/signin/mail", { email: "grace@app.test", callbackUrl: "/a" })
  const cookie = cookiesOf(begun, mailed)
  const responses = [
    await get("/auth/csrf"),
    await get("/auth/signin"),
    begun,
    await get(back, { cookie }),
    mailed,
    await get((mails[0] ?? "").slice(origin.length), { cookie }),
    await post("/auth/callback/credentials", ada, { cookie }),
    await post("/auth/signout", {}, { cookie: await session({ post }) }),
  ]
  return responses.flatMap(({ headers }) => headers.getSetCookie())
}

attack("CK-01", "every cookie is Secure, HttpOnly, SameSite=Lax, for / of this host alone", async (mode) => {
  const lines = await linesOf(door(mode))
  for (const kind of ["session-token", "csrf-token", "callback-url", "state.", "nonce."]) {
    expect(
      lines.some((line) => line.includes(kind)),
      kind,
    ).toBe(true)
  }
  for (const line of lines) {
    const [pair = "", ...attributes] = line.split("; ")
    const named = attributes.map((attribute) => attribute.split("=", 1)[0])
    expect(attributes, line).toEqual(expect.arrayContaining(["Path=/", "HttpOnly", "Secure", "SameSite=Lax"]))
    expect(named, line).not.toContain("Domain")
    expect(pair, line).toMatch(pair.includes("csrf-token") ? /^__Host-/ : /^__(?:Host|Secure)-/)
  }
})

attack("CK-01", "only the flow cookie for `form_post` is SameSite=None", async (mode) => {
  const app = door(mode)
  const provider = app.op.provider({ authorization: { params: { response_mode: "form_post" } } })
  const { post } = door(mode, { providers: [provider] })
  const lines = (await post("/auth/signin/op", { callbackUrl: "/a" })).headers.getSetCookie()
  const open = lines.filter((line) => !line.endsWith("SameSite=Lax"))
  expect(open).toEqual([expect.stringMatching(/authjs\.state\.[\w-]+=.*; Path=\/; HttpOnly; Secure; SameSite=None$/)])
})

strictAttack("CK-01", "session cookie name", "every cookie has the prefix `__Host-`", async () => {
  for (const line of await linesOf(door("strict"))) expect(line).toMatch(/^__Host-/)
})

strictAttack("CK-01", "session cookie name", "a session under the compatible name is read and moved", async () => {
  const { get } = door("strict", { adapter: undefined, providers: [door("strict").op.provider()] })
  const response = await get("/auth/session", { cookie: `__Secure-authjs.session-token=${await sessionOf({})}` })
  expect(await response.json()).toMatchObject({ user: { name: "ada" } })
  const lines = response.headers.getSetCookie()
  expect(lines.map((line) => line.split("=", 1)[0]).toSorted()).toEqual([
    "__Host-authjs.session-token",
    "__Secure-authjs.session-token",
  ])
  expect(lines.find((line) => line.startsWith("__Secure-"))).toContain("=; Max-Age=0;")
})

strictAttack("CK-01", "session cookie name", "a flow cookie set by a sibling host is ignored", async () => {
  const { get, post, op } = door("strict")
  const begun = await post("/auth/signin/op")
  const answer = await op.authorize(location(begun) ?? "", { as: "ada" })
  const back = (answer.method === "GET" ? answer.location : "").slice(origin.length)
  const planted = cookiesOf(begun).replaceAll("__Host-", "__Secure-")
  const response = await get(back, { cookie: planted })
  expect([location(response)?.includes("code=InvalidCheck"), op.requestsTo("token")]).toEqual([true, []])
})

const strangers = ["X", "x", "-old", "_", ".a", ".99", ".0", ".1", ".00", ".0x", ".-1", ".1e1", ".0.0", " .0", "."]

attack("CK-02", "a cookie whose name only begins like the session cookie has no effect", async (mode) => {
  const app = door(mode)
  const [name, own] = [sessionName(mode), await session(app)]
  for (const end of strangers) {
    for (const cookie of [`${name}${end}=zzz; ${own}`, `${own}; ${name}${end}=zzz`]) {
      const response = await app.get("/auth/session", { cookie })
      expect([await response.json(), response.headers.getSetCookie()], cookie).toMatchObject([
        { user: { name: "ada" } },
        [],
      ])
    }
  }
  expect(await whoIs(app, strangers.map((end) => `${name}${end}=${own.split("=")[1]}`).join("; "))).toBeNull()
})

attack("CK-02", "cookies that only continue the name of a long session are not part of it", async (mode) => {
  const jwt = ({ token }: { token: JWT }) => ({ ...token, padding: "x".repeat(5000) })
  const app = door(mode, { callbacks: { jwt } })
  const [name, own] = [sessionName(mode), await session(app)]
  const parts = own.split("; ").length
  expect(parts).toBeGreaterThan(1)
  for (const end of [`.${parts}`, ".99", ".a", `.0${parts}`, "X", "-0"]) {
    for (const cookie of [`${name}${end}=zzz; ${own}`, `${own}; ${name}${end}=zzz`])
      expect(await whoIs(app, cookie), end).toBe("ada")
  }
  const gap = own.split("; ").toSpliced(0, 1).join("; ")
  expect(await whoIs(app, gap)).toBeNull()
})

const masks = ["\u00A0", "\u00EF\u00BB\u00BF", "\u0085", "\u000B", "\u000C", "\u001C", "\u00AD", "\u00C2\u00A0"]

attack("CK-04", "a cookie name with extra whitespace characters is a different name", async (mode) => {
  const app = door(mode)
  const own = await session(app)
  const mine = await csrfPair(app.send)
  for (const mask of masks) {
    for (const masked of [`${mask}${own}`, own.replace("=", `${mask}=`)]) {
      expect(await whoIs(app, `a=b; ${masked}`), JSON.stringify(mask)).toBeNull()
      const server = createServer({ secret, providers: [], ...app.config })
      const seen = await server.session({ headers: new Headers({ cookie: `a=b; ${masked}` }), origin })
      expect(seen.session).toBeNull()
    }
    const planted = { method: "POST", body: new URLSearchParams({ csrfToken: mine.token }) }
    const headers = { cookie: `a=b; ${mask}${mine.cookie}` }
    expect(location(await app.send("/auth/signout", { ...planted, headers }))).toContain("MissingCSRF")
  }
})

const odd = [
  "",
  ";",
  "=",
  "==; =;; =",
  "session",
  "__proto__=x; constructor=y; toString=z; hasOwnProperty=w",
  "%E0%A4%A=%E0%A4%A; %=%; a=%ZZ",
  '"a"="b"; c="; d=""',
  `a=${"x".repeat(8_000)}`,
  "a=b; ".repeat(170),
  `${" ".repeat(3_000)}a${"\t ".repeat(1_000)}=${" ".repeat(3_000)}`,
  ";".repeat(20_000),
  "\u00FF\u0080=\u0000".replaceAll("\u0000", ""),
]

attack("CK-04", "no malformed Cookie header breaks the request or hides the session", async (mode) => {
  const app = door(mode)
  const own = await session(app)
  for (const text of odd) {
    for (const action of ["session", "csrf", "signin", "signout"])
      expect((await app.get(`/auth/${action}`, { cookie: text })).status, text.slice(0, 40)).toBe(200)
    expect(await whoIs(app, `${text}; ${own}`), text.slice(0, 40)).toBe("ada")
    expect(await whoIs(app, text)).toBeNull()
  }
  expect(Object.hasOwn(Object.prototype, "x")).toBe(false)
})

attack("CK-04", "the first of several equal names counts, and quotes around a value are removed", async (mode) => {
  const app = door(mode)
  const [ada, eve] = [await session(app, "ada"), await session(app, "eve")]
  expect([await whoIs(app, `${ada}; ${eve}`), await whoIs(app, `${eve}; ${ada}`)]).toEqual(["ada", "eve"])
  expect(await whoIs(app, ada.replace("=", '="').concat('"'))).toBe("ada")
})
