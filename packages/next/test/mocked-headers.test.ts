import { encode } from "@latchkey/core/jwt"
import Credentials from "@latchkey/next/providers/credentials"
import GitHub from "@latchkey/next/providers/github"
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest"

const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw"
const name = "authjs.session-token"
const token = await encode({ token: { sub: "1", name: "Ada" }, secret, salt: name })

interface Mock {
  headers: () => unknown
  cookies?: () => unknown
}

/** What an application's test mocks: `headers()` alone, unless a test adds `cookies()`. */
const mocked = vi.hoisted((): Mock => ({ headers: () => new Headers() }))
vi.mock("next/headers", () => mocked)

// Files share their modules, and another one may have loaded the real module.
vi.resetModules()
const { default: NextAuth } = await import("@latchkey/next")
afterAll(() => {
  vi.doUnmock("next/headers")
  vi.resetModules()
})

beforeEach(() => {
  mocked.headers = async () => new Headers({ host: "localhost:3000", cookie: `theme=dark; ${name}=${token}` })
  delete mocked.cookies
})

function application() {
  return NextAuth({
    secret,
    trustHost: true,
    providers: [
      GitHub({ clientId: "client", clientSecret: "hush" }),
      Credentials({ credentials: { name: {} }, authorize: ({ name }) => ({ id: "2", name: String(name) }) }),
    ],
  })
}

const ada = expect.objectContaining({ user: expect.objectContaining({ name: "Ada" }) })

describe("in a unit test that mocks `headers` alone", () => {
  test("auth() reads the session from the header", async () => {
    expect(await application().auth()).toEqual(ada)
  })

  test("auth() is null without a session cookie", async () => {
    mocked.headers = () => new Headers()
    expect(await application().auth()).toBeNull()
  })

  test("signIn() returns the URL of the provider", async () => {
    const url = await application().signIn("github", { redirect: false })
    expect(url).toMatch(/^https:\/\/github\.com\/login\/oauth\/authorize\?/)
  })

  test("signIn() with credentials returns the callback URL", async () => {
    const url = await application().signIn("credentials", { name: "Grace", redirect: false, redirectTo: "/home" })
    expect(url).toBe("http://localhost:3000/home")
  })

  test("signOut(), unstable_update() and csrfToken() work", async () => {
    const { csrfToken, signOut, unstable_update } = application()
    expect(await signOut({ redirect: false, redirectTo: "/bye" })).toBe("http://localhost:3000/bye")
    expect(await unstable_update({})).toEqual(ada)
    expect(await csrfToken()).toMatch(/^\S{16,}$/)
  })
})

describe.each([
  ["that only sets cookies", () => ({ set: vi.fn() })],
  ["that is empty", () => ({ getAll: () => [], set: vi.fn() })],
  ["with other cookies", () => ({ getAll: () => [{ name: "locale", value: "en" }], set: vi.fn() })],
  ["outside a request", () => Promise.reject(new Error("`cookies` was called outside a request scope"))],
])("with a mock of `cookies` %s", (_, cookies) => {
  test("auth() reads the session from the header", async () => {
    mocked.cookies = cookies
    expect(await application().auth()).toEqual(ada)
  })
})

describe("with the cookies of a request", () => {
  const jar = new Map<string, string>()

  beforeEach(() => {
    jar.clear()
    const set = (cookie: string, value: string) => void jar.set(cookie, value)
    const getAll = () => [...jar].map(([name, value]) => ({ name, value }))
    mocked.cookies = async () => ({ getAll, set })
    const headers = new Headers({ host: "localhost:3000" })
    mocked.headers = async () => headers
  })

  test("auth() sees that an action signed the user in and out", async () => {
    const { auth, signIn, signOut } = application()
    expect(await auth()).toBeNull()
    await signIn("credentials", { name: "Grace", redirect: false })
    expect(await auth()).toMatchObject({ user: { name: "Grace" } })
    await signOut({ redirect: false })
    expect(await auth()).toBeNull()
  })

  test("auth() sees that an action deleted the cookie, which the header still has", async () => {
    const headers = new Headers({ host: "localhost:3000", cookie: `${name}=${token}` })
    mocked.headers = async () => headers
    jar.set(name, token)
    const { auth } = application()
    expect(await auth()).toEqual(ada)
    jar.set(name, "")
    expect(await auth()).toBeNull()
  })

  test("setting a cookie where Next.js doesn't allow it throws", async () => {
    const set = () => {
      throw new Error("Cookies can only be modified in a Server Action or Route Handler")
    }
    mocked.cookies = async () => ({ getAll: () => [], set })
    await expect(application().signIn("github", { redirect: false })).rejects.toThrow("Cookies can only be modified")
  })
})
