// What `signIn` on the server of Next.js returns and throws, with next-auth and with Latchkey.
import { afterAll, expect, test, vi } from "vitest"
import { secret } from "../applications.js"

/** What a Server Action sees. */
const mocked = vi.hoisted(() => ({
  headers: async () => new Headers({ host: "app.test", "x-forwarded-host": "app.test", "x-forwarded-proto": "https" }),
  cookies: async () => ({ getAll: () => [], set: () => {} }),
}))
vi.mock("next/headers", () => mocked)
vi.mock("next/headers.js", () => mocked)

vi.resetModules()
const { default: Theirs } = await import("next-auth")
const { default: Ours } = await import("@latchkey/next")
const { CredentialsSignin: TheirRefusal } = await import("next-auth")
const { CredentialsSignin: OurRefusal } = await import("@latchkey/core/errors")
afterAll(() => {
  vi.doUnmock("next/headers")
  vi.doUnmock("next/headers.js")
  vi.resetModules()
})

type Options = Readonly<Record<string, unknown>>
type SignIn = (provider?: string, options?: Options) => Promise<unknown>

interface Functions {
  readonly signIn: SignIn
  readonly unstable_update: (data: Options) => Promise<unknown>
}

/** Of the same application with both libraries. */
function functions(pages: Options = {}) {
  const of = (NextAuth: unknown, Refusal: new () => Error): Functions => {
    const providers = [
      {
        id: "credentials",
        name: "Name",
        type: "credentials",
        credentials: { name: {} },
        authorize: ({ name }: Options) => {
          if (name === "down") throw new Error("The directory is down")
          if (name === "closed") throw Object.assign(new Refusal(), { code: "closed" })
          return name === "eve" ? null : { id: "1", name }
        },
      },
      { id: "op", name: "Acme", type: "oidc", issuer: "https://op.invalid", clientId: "a", clientSecret: "b" },
    ]
    // The types of the two libraries name the same options.
    const make = NextAuth as (config: object) => Functions
    return make({
      secret,
      trustHost: true,
      providers,
      pages,
      logger: { error() {}, warn() {} },
      callbacks: { signIn: ({ user }: { user: { name?: string } }) => user.name !== "mallory" },
    })
  }
  return { theirs: of(Theirs, TheirRefusal), ours: of(Ours, OurRefusal) }
}

async function outcome(signIn: SignIn, provider: string | undefined, options: Options): Promise<unknown> {
  try {
    return await signIn(provider, { redirect: false, redirectTo: "/home", ...options })
  } catch (error) {
    const { name, type, kind, code, digest, cause } = error as Record<string, unknown>
    return { name, type, kind, code, digest, err: String((cause as { err?: unknown } | undefined)?.err) }
  }
}

test.each([
  ["credentials that are right", "credentials", { name: "ada" }],
  ["credentials that are wrong", "credentials", { name: "eve" }],
  ["a refusal of the application", "credentials", { name: "closed" }],
  ["an `authorize` that throws", "credentials", { name: "down" }],
  ["a user whom the `signIn` callback refuses", "credentials", { name: "mallory" }],
  ["a provider that can't be reached", "op", {}],
  ["an unknown provider", "nowhere", {}],
  ["no provider", undefined, {}],
] as const)("with %s, `signIn` gives the same as that of next-auth", async (_, provider, options) => {
  for (const pages of [{}, { signIn: "/login", error: "/oops" }]) {
    const { theirs, ours } = functions(pages)
    expect(await outcome(ours.signIn, provider, options)).toEqual(await outcome(theirs.signIn, provider, options))
  }
})

test("without a session, `unstable_update` gives the same as that of next-auth", async () => {
  const { theirs, ours } = functions()
  const data = { user: { name: "Grace" } }
  expect(await ours.unstable_update(data)).toEqual(await theirs.unstable_update(data))
})
