import { Auth } from "@latchkey/core"
import { getToken } from "@latchkey/core/jwt"
import { frozenClock } from "@latchkey/testing"
import { beforeEach, describe, expect, test, vi } from "vitest"
import { systemRuntime } from "../../src/primitives/runtime.js"
import { headerOf, platforms } from "../jwt/platforms.js"
import file from "./vectors.json" with { type: "json" }

/** When next-auth 4 made the tokens. */
const issuedAt = 1_795_311_087_000
const clock = frozenClock(issuedAt)
const month = 2_592_000
const sessions = file.vectors.filter(({ salt }) => salt === "")
const lasting = sessions.filter(({ name }) => name !== "expired")
const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fG"
const other = "mallorys-own-secret-0123456789-abcdef"

describe.each(platforms)("on the $name platform", ({ platform, version4Tokens }) => {
  const tokens = (secrets: readonly string[], jwt = {}) =>
    version4Tokens({ jwt, secrets, maxAge: month, runtime: { ...systemRuntime, ...clock.runtime } })

  test.each(lasting)("a session token of version 4 opens: $name", async (vector) => {
    const opened = await tokens([vector.secret]).decode(vector.token)
    expect(opened?.claims).toEqual(vector.claims)
    expect(JSON.parse(opened?.text ?? "")).toEqual(vector.claims)
    expect(await tokens([other, vector.secret]).decode(vector.token)).toEqual(opened)
    expect(await tokens([other]).decode(vector.token)).toBeNull()
  })

  test.each(file.vectors.filter((vector) => !lasting.includes(vector)))(
    "a token that is no session isn't opened: $name",
    async ({ token, secret }) => {
      expect(await tokens([secret]).decode(token)).toBeNull()
    },
  )

  test.each(file.vectors)("the key is derived as in version 4: $name", async ({ secret, salt, key }) => {
    const info = `NextAuth.js Generated Encryption Key${salt === "" ? "" : ` (${salt})`}`
    const { bytes } = await platform.hkdf(secret, salt, info, 32)
    expect(Buffer.from(bytes).toString("hex")).toBe(key)
  })

  test("a token made for version 4 has its header, and no `kid`", async () => {
    const token = await tokens([other, secret]).encode({ sub: "ada", role: "admin", exp: 1, iat: 1, jti: "x" })
    expect(headerOf(token)).toEqual({ alg: "dir", enc: "A256GCM" })
    const iat = issuedAt / 1000
    expect((await tokens([secret]).decode(token))?.claims).toEqual({
      sub: "ada",
      role: "admin",
      iat,
      exp: iat + month,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })
})

describe("with the clock at the time of the tokens", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: issuedAt })
    return () => void vi.useRealTimers()
  })

  const name = "next-auth.session-token"
  const request = (cookie: string) => new Request("http://app.test/auth/session", { headers: { cookie } })

  /** Cookies of at most 3933 characters, as version 4 writes them. */
  const cookieOf = (token: string): string => {
    const parts = token.match(/.{1,3933}/g) ?? []
    return parts.map((part, index) => `${name}${parts.length === 1 ? "" : `.${index}`}=${part}`).join("; ")
  }

  test.each(lasting)(
    "getToken returns the claims of a cookie of version 4: $name",
    async ({ token, secret, claims }) => {
      expect(await getToken({ req: request(cookieOf(token)), secret })).toEqual(claims)
      expect(await getToken({ req: request(cookieOf(token)), secret, raw: true })).toBe(token)
      expect(await getToken({ req: request(cookieOf(token)), secret, version4: false })).toBeNull()
      expect(await getToken({ req: request(cookieOf(token)), secret: other })).toBeNull()
    },
  )

  test.each(lasting)("a session of version 4 continues with its claims: $name", async ({ token, secret, claims }) => {
    const seen: unknown[] = []
    const response = await Auth(request(cookieOf(token)), {
      secret,
      trustHost: true,
      providers: [],
      logger: { warn: () => undefined },
      callbacks: {
        jwt: ({ token }) => {
          seen.push(token)
          return token
        },
      },
    })
    expect(await response.json()).toMatchObject({ expires: new Date(issuedAt + month * 1000).toISOString() })
    expect(seen).toEqual([claims])
    expect(response.headers.getSetCookie().join("\n")).toContain("authjs.session-token")
  })

  test("getToken prefers our cookie, and passes an empty salt to a custom `decode` for that of version 4", async () => {
    const salts: unknown[] = []
    const decode = async ({ salt }: { salt: string }) => {
      salts.push(salt)
      return { sub: "ada" }
    }
    await getToken({ req: request(`${name}=x`), secret, decode })
    await getToken({ req: request(`${name}=x; authjs.session-token=y`), secret, decode })
    expect(salts).toEqual(["", "authjs.session-token"])
  })

  test("getToken reads version 4 under a custom name only if you ask for it", async () => {
    const token = lasting[0]?.token ?? ""
    const req = request(`sid=${token}; ${name}=${token}`)
    expect(await getToken({ req, secret, cookieName: "sid" })).toBeNull()
    expect(await getToken({ req, secret, cookieName: "sid", version4: true })).toMatchObject({ sub: "user-1" })
    expect(await getToken({ req, secret, cookieName: "gone", version4: true })).toBeNull()
  })
})
