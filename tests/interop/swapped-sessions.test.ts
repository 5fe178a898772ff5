import type { AuthConfig as PublishedConfig } from "@auth/core"
import { decode as theirDecode, encode as theirEncode, getToken as theirGetToken } from "@auth/core/jwt"
import type { AuthConfig } from "@latchkey/core"
import { decode, encode, getToken, type TokenEncryption } from "@latchkey/core/jwt"
import { type Browser, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { byName, nextSecret, published, secret, sessionToken, swap } from "./applications.js"

/** Options that both libraries have. */
type Shared = Pick<AuthConfig, "cookies" | "secret"> & Pick<PublishedConfig, "cookies" | "secret">

const long = "n".repeat(4000)
const newlyRotated = { secret: [nextSecret, secret] }

const situations: [situation: string, origin: string, name: string, before: Shared, after: Shared][] = [
  ["over https", "https://app.test", "Ada", { secret }, { secret }],
  ["over http", "http://app.test", "Ada", { secret }, { secret }],
  ["in chunks over https", "https://app.test", long, { secret }, { secret }],
  ["in chunks over http", "http://app.test", long, { secret }, { secret }],
  ["after the secret was rotated", "https://app.test", "Ada", { secret }, newlyRotated],
  ["while the secret is being rotated", "https://app.test", "Ada", newlyRotated, newlyRotated],
  ["in chunks after the secret was rotated", "https://app.test", long, { secret }, newlyRotated],
  ["under a custom name", "https://app.test", "Ada", custom("sid"), custom("sid")],
  ["in chunks under a custom name", "https://app.test", long, custom("sid"), custom("sid")],
]

function custom(name: string): Shared {
  return { secret, cookies: { sessionToken: { name } } }
}

async function applications(origin: string, theirs: Shared, ours: Shared) {
  return swap({ theirs: { providers: [byName], ...theirs }, ours: { providers: [byName], ...ours } }, origin)
}

function expectSession(session: unknown, name: string): void {
  expect(session).toMatchObject({ user: { name, email: "ada@example.test" } })
}

describe.each(situations)("a session cookie %s", (_situation, origin, name, before, after) => {
  test("of @auth/core signs in at Latchkey", async () => {
    const { theirs, ours } = await applications(origin, before, after)
    await theirs.signIn("credentials", { name })
    expectSession(await ours.session(), name)
  })

  test("of Latchkey signs in at @auth/core", async () => {
    const { theirs, ours } = await applications(origin, after, before)
    await ours.signIn("credentials", { name })
    expectSession(await theirs.session(), name)
  })

  test("survives the swap to @auth/core and back", async () => {
    const { theirs, ours } = await applications(origin, after, before)
    await ours.signIn("credentials", { name })
    const made = tokens(ours)
    expectSession(await theirs.session(), name)
    expect(tokens(ours)).not.toEqual(made)
    const { ours: rolledForward } = await withCookiesOf(ours, origin, after)
    expectSession(await rolledForward.session(), name)
  })

  test("ends with a sign-out at either application", async () => {
    const { theirs, ours } = await applications(origin, before, after)
    await theirs.signIn("credentials", { name })
    await ours.signOut()
    expect(await theirs.session()).toBeNull()
    const { theirs: other, ours: own } = await applications(origin, after, before)
    await own.signIn("credentials", { name })
    await other.signOut()
    expect(await own.session()).toBeNull()
    expect(tokens(own)).toEqual([])
  })
})

function tokens({ cookies }: Browser): string[] {
  return cookies.filter(({ name }) => /session-token|^sid/.test(name)).map(({ value }) => value)
}

/** Opens another application with the cookies of a browser. */
async function withCookiesOf({ cookies }: Browser, origin: string, settings: Shared) {
  const made = await applications(origin, settings, settings)
  for (const cookie of cookies) made.ours.jar.put(cookie)
  return made
}

test("a cookie that @auth/core wrote in chunks becomes one cookie when the session shrinks", async () => {
  const keep = { providers: [byName], secret }
  const shrink = {
    ...keep,
    callbacks: { jwt: ({ token }: { token: Record<string, unknown> }) => ({ ...token, name: "Ada" }) },
  }
  const { theirs, ours } = await swap({ theirs: keep, ours: shrink })
  await theirs.signIn("credentials", { name: "n".repeat(9000) })
  expect(tokens(theirs)).toHaveLength(4)
  expectSession(await ours.session(), "Ada")
  expect(tokens(ours)).toHaveLength(1)
  expectSession(await theirs.session(), "Ada")
})

test("a cookie made with an unlisted secret signs in at neither application", async () => {
  const { theirs, ours } = await applications("https://app.test", { secret }, { secret: nextSecret })
  await theirs.signIn("credentials", { name: "Ada" })
  expect(await ours.session()).toBeNull()
  await ours.signIn("credentials", { name: "Ada" })
  expect(await theirs.session()).toBeNull()
})

test("Latchkey writes a session of @auth/core with the newest secret, so that the old one can be removed", async () => {
  const { theirs, ours } = await applications("https://app.test", { secret }, newlyRotated)
  await theirs.signIn("credentials", { name: "Ada" })
  await ours.session()
  const onlyNew = published({ providers: [byName], secret: nextSecret }, ours)
  expectSession(await onlyNew.session(), "Ada")
})

test("a strict application opens a session of @auth/core and renames its cookie", async () => {
  const config = { providers: [byName], secret }
  const ours = await visit({ ...config, url: "https://app.test/auth", security: "strict" })
  await published(config, ours).signIn("credentials", { name: "Ada" })
  expectSession(await ours.session(), "Ada")
  const names = ours.cookies.map(({ name }) => name).filter((name) => name.includes("session-token"))
  expect(names).toEqual(["__Host-authjs.session-token"])
  expectSession(await ours.session(), "Ada")
})

describe("jwt functions", () => {
  const salt = "__Secure-authjs.session-token"
  const claims = { sub: "1", name: "Ada", roles: ["engineer"] }

  test.each([
    ["one secret", secret, secret],
    ["secrets in rotation", [nextSecret, secret], secret],
  ])("each decode opens tokens of the other encode, with %s", async (_case, opening, sealing) => {
    const their = await theirEncode({ token: claims, secret: sealing, salt })
    expect(await decode({ token: their, secret: opening, salt })).toMatchObject(claims)
    const own = await encode({ token: claims, secret: sealing, salt })
    expect(await theirDecode({ token: own, secret: opening, salt })).toMatchObject(claims)
  })

  test("neither opens a token sealed for another cookie", async () => {
    const their = await theirEncode({ token: claims, secret, salt: "other" })
    await expect(decode({ token: their, secret, salt })).rejects.toThrow("no matching decryption secret")
    const own = await encode({ token: claims, secret, salt: "other" })
    await expect(theirDecode({ token: own, secret, salt })).rejects.toThrow("no matching decryption secret")
  })

  test("a cookie made by either encode signs in at both applications", async () => {
    const { theirs, ours } = await applications("https://app.test", { secret }, { secret })
    for (const seal of [theirEncode, encode]) {
      ours.jar.put(sessionCookie(await seal({ token: claims, secret, salt })))
      expect(await ours.session()).toMatchObject({ user: { name: "Ada" } })
      expect(await theirs.session()).toMatchObject({ user: { name: "Ada" } })
    }
  })

  test.each([
    ["in one piece", "Ada"],
    ["in chunks", long],
  ])("each getToken reads a cookie of the other library %s", async (_case, name) => {
    const { theirs, ours } = await applications("https://app.test", { secret }, { secret })
    await theirs.signIn("credentials", { name })
    const options = { secret, secureCookie: true }
    expect(await getToken({ req: { headers: cookieHeader(theirs) }, ...options })).toMatchObject({ name })
    await ours.signIn("credentials", { name })
    expect(await theirGetToken({ req: { headers: cookieHeader(ours) }, ...options })).toMatchObject({ name })
  })

  function sessionCookie(value: string) {
    const attributes = { path: "/", hostOnly: true, secure: true, httpOnly: true, sameSite: "lax" } as const
    return { name: salt, value, domain: "app.test", expires: undefined, ...attributes }
  }

  function cookieHeader({ cookies }: Browser): { cookie: string } {
    return { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; ") }
  }
})

describe.each<TokenEncryption>(["A256GCM", "A256CBC-HS512"])("with `jwt.encryption` %s", (encryption) => {
  const salt = "__Secure-authjs.session-token"

  test("@auth/core decodes a session of Latchkey, and Latchkey one of @auth/core", async () => {
    const providers = [byName]
    const { theirs, ours } = await swap({
      theirs: { providers, secret },
      ours: { providers, secret, jwt: { encryption } },
    })
    await ours.signIn("credentials", { name: "Ada" })
    const token = sessionToken(ours) ?? ""
    expect(JSON.parse(atob(token.split(".")[0] ?? ""))).toMatchObject({ enc: encryption })
    expect(await theirDecode({ token, secret, salt })).toMatchObject({ name: "Ada" })
    expectSession(await theirs.session(), "Ada")
    expectSession(await ours.session(), "Ada")
  })

  test("@auth/core decodes a token of encode", async () => {
    const token = await encode({ token: { sub: "ada" }, secret, salt, encryption })
    expect(await theirDecode({ token, secret, salt })).toMatchObject({ sub: "ada" })
  })
})
