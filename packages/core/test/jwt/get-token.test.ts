import { describe, expect, test } from "vitest"
import { platforms } from "./platforms.js"

const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fG"
const plain = "authjs.session-token"
const secure = `__Secure-${plain}`

describe.each(platforms)("on the $name platform", ({ jwt: { encode, getToken } }) => {
  const sealed = async (salt: string = plain) => encode({ token: { sub: "ada" }, secret, salt })
  const withCookies = (cookie: string) => ({ headers: new Headers({ cookie }) })

  test("getToken reads the session cookie of a Request", async () => {
    const req = new Request("https://app.test/", { headers: { cookie: `a=1; ${plain}=${await sealed()}` } })
    expect(await getToken({ req, secret })).toMatchObject({ sub: "ada" })
  })

  test("getToken reads headers given as a plain object", async () => {
    expect(await getToken({ req: { headers: { Cookie: `${plain}=${await sealed()}` } }, secret })).toMatchObject({
      sub: "ada",
    })
  })

  test.each([
    [undefined, plain],
    [false, plain],
    [true, secure],
  ])("with secureCookie %s the cookie and the salt are %s", async (secureCookie, name) => {
    const req = withCookies(`${name}=${await sealed(name)}`)
    expect(await getToken({ req, secret, secureCookie })).toMatchObject({ sub: "ada" })
    expect(await getToken({ req, secret, secureCookie: secureCookie !== true })).toBeNull()
  })

  test("a custom cookie name is the salt, unless salt is set", async () => {
    expect(
      await getToken({ req: withCookies(`mine=${await sealed("mine")}`), secret, cookieName: "mine" }),
    ).not.toBeNull()
    const req = withCookies(`mine=${await sealed("salt")}`)
    expect(await getToken({ req, secret, cookieName: "mine", salt: "salt" })).not.toBeNull()
    expect(await getToken({ req, secret, cookieName: "mine" })).toBeNull()
  })

  test("parts are joined in the order of their numbers", async () => {
    const token = await sealed()
    const parts = Array.from(
      { length: 11 },
      (_, at) => `${plain}.${at}=${token.slice(at * 25, at === 10 ? undefined : at * 25 + 25)}`,
    )
    expect(await getToken({ req: withCookies(parts.toReversed().join("; ")), secret })).toMatchObject({ sub: "ada" })
  })

  test("without a cookie, the bearer token is read, percent-decoded", async () => {
    const token = await sealed()
    const req = (authorization: string) => ({ headers: new Headers({ authorization }) })
    expect(await getToken({ req: req(`Bearer ${token}`), secret })).toMatchObject({ sub: "ada" })
    expect(await getToken({ req: req(`Bearer ${token.replaceAll(".", "%2E")}`), secret })).toMatchObject({ sub: "ada" })
  })

  test.each(["bearer x", "Basic x", "Bearer", "Bearer %E0%A4%A", "BearerX", ""])(
    "the Authorization header %j is null",
    async (authorization) => {
      expect(await getToken({ req: { headers: new Headers({ authorization }) }, secret })).toBeNull()
      expect(await getToken({ req: { headers: new Headers({ authorization }) }, secret, raw: true })).toBeNull()
    },
  )

  test("the cookie takes precedence over the bearer token", async () => {
    const bearer = await encode({ token: { sub: "eve" }, secret, salt: plain })
    const headers = new Headers({ cookie: `${plain}=${await sealed()}`, authorization: `Bearer ${bearer}` })
    expect(await getToken({ req: { headers }, secret })).toMatchObject({ sub: "ada" })
  })

  test("raw returns the joined token unopened, without a secret", async () => {
    expect(await getToken({ req: withCookies(`${plain}.0=ab; ${plain}.1=cd`), raw: true })).toBe("abcd")
  })

  test("without a token the result is null, even without a secret", async () => {
    expect(await getToken({ req: new Request("https://app.test/") })).toBeNull()
  })

  test("a token without a secret to open it throws MissingSecret", async () => {
    await expect(getToken({ req: withCookies(`${plain}=x`) })).rejects.toMatchObject({ type: "MissingSecret" })
  })

  test("an invalid token is null", async () => {
    expect(await getToken({ req: withCookies(`${plain}=x`), secret })).toBeNull()
    expect(await getToken({ req: withCookies(`${plain}=${await sealed(secure)}`), secret })).toBeNull()
  })

  test("a custom decode gets the token, the secret and the salt, and its error is null", async () => {
    const seen: unknown[] = []
    const decode = async (params: unknown) => {
      seen.push(params)
      return { sub: "own" }
    }
    expect(await getToken({ req: withCookies(`${plain}=x`), secret, decode })).toEqual({ sub: "own" })
    expect(seen).toEqual([{ token: "x", secret, salt: plain }])
    const failing = async () => Promise.reject(new Error("no"))
    expect(await getToken({ req: withCookies(`${plain}=x`), secret, decode: failing })).toBeNull()
  })

  test("a call without a request throws", async () => {
    const params = JSON.parse(`{"secret":"${secret}"}`)
    await expect(getToken(params)).rejects.toThrow("without a request")
  })
})
