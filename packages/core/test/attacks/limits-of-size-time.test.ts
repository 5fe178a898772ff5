import { expect, vi } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { expectLinear } from "../cost.js"
import { sessionCookie } from "../http/app.js"
import { mailer, strongSecret } from "../modes/setup.js"
import { nodeCrypto, publish, unwatch } from "./crypto-setup.js"
import { address, bare } from "./surface-setup.js"

const sizes = [3750, 15_000, 60_000]

/** Texts that take quadratic time or worse in a careless regular expression. */
const hostile: readonly ((size: number) => string)[] = [
  (size) => "a".repeat(size),
  (size) => "a.".repeat(size / 2),
  (size) => `${"a".repeat(size)}!`,
  (size) => `${"-".repeat(size)}@`,
  (size) => ` ${"\t".repeat(size)}x`,
  (size) => "@".repeat(size),
  (size) => "%".repeat(size),
  (size) => ";".repeat(size),
  (size) => "a;".repeat(size / 2),
  (size) => ";=".repeat(size / 2),
  (size) => `"${"\\".repeat(size)}`,
  (size) => "/".repeat(size),
  (size) => "a-".repeat(size / 2),
]

/** A body may have 64 kB. */
function fitsInBody(textOf: (size: number) => string): boolean {
  return encodeURIComponent(textOf(60_000)).length <= 60_002
}

attack("DOS-03", "the work for a header, URL or form field grows at most with its length", async (mode) => {
  const { provider } = mailer()
  const adapter = memoryAdapter()
  const session = { strategy: "jwt" } as const
  const { get, post } = bare(mode, { providers: [provider], adapter, session })
  const requests: ((text: string) => Promise<Response>)[] = [
    (text) => get("/auth/session", { cookie: text }),
    (text) => get("/auth/session", { cookie: `${sessionCookie}=${text}` }),
    (text) => get("/auth/session", { "x-forwarded-host": text, "x-forwarded-proto": text, "user-agent": text }),
    (text) => get(`/auth/${encodeURI(text)}`),
    (text) => get(`/auth/signin?callbackUrl=${encodeURIComponent(text)}&error=${encodeURIComponent(text)}`),
    (text) => post("/auth/signin/mail", { email: text }),
  ]
  for (const [at, request] of requests.entries()) {
    for (const textOf of hostile) {
      if (at === 5 && !fitsInBody(textOf)) continue
      await expectLinear((size) => {
        const text = textOf(size)
        return () => request(text)
      }, sizes)
    }
  }
})

attack("DOS-03", "the cost of logging an error that quotes the request is linear", async (mode) => {
  const written: string[] = []
  for (const level of ["error", "warn", "log"] as const)
    vi.spyOn(console, level).mockImplementation((...parts: unknown[]) => void written.push(parts.join(" ")))
  const authorize = ({ name }: Partial<Record<string, unknown>>) => {
    throw new Error(`There is no ${String(name)}`)
  }
  const credentials = {
    id: "credentials",
    name: "C",
    type: "credentials" as const,
    credentials: { name: {} },
    authorize,
  }
  const { post } = bare(mode, { logger: {}, debug: true, providers: [credentials] })
  for (const textOf of hostile.filter(fitsInBody)) {
    await expectLinear(
      (size) => {
        const name = textOf(size)
        return () => post("/auth/callback/credentials", { name })
      },
      [938, ...sizes],
    )
  }
  expect(written.length).toBeGreaterThan(0)
})

attack("DOS-03", "the cost of parsing cookies grows with the length of the header", async (mode) => {
  const { get } = bare(mode)
  await expectLinear(
    (size) => {
      const cookie = ";".repeat(size)
      return () => get("/auth/session", { cookie })
    },
    [100_000, 400_000, 1_600_000],
  )
})

attack("DOS-03", "tokens with made-up key ids cause no key derivation", async (mode) => {
  const secret = Array.from({ length: 5 }, (_, index) => `${strongSecret.slice(0, -1)}${index}`)
  const session = { strategy: "jwt" } as const
  const { send } = bare(mode, { secret, session })
  const name = sessionCookie.replace("__Secure-", mode === "strict" ? "__Host-" : "__Secure-")
  const flood = (kid: string) => {
    const header = btoa(JSON.stringify({ alg: "dir", enc: "A256GCM", kid })).replaceAll("=", "")
    const cookie = `${name}=${header}..AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA`
    return send("/auth/session", { headers: { cookie } })
  }
  const derive = vi.spyOn(nodeCrypto, "hkdfSync")
  publish()
  try {
    await flood("first")
    const derived = derive.mock.calls.length
    expect(derived).toBeGreaterThanOrEqual(5)
    for (let at = 0; at < 300; at++) expect(await (await flood(`kid-${at}`)).json()).toBeNull()
    expect(derive.mock.calls.length).toBe(derived)
  } finally {
    unwatch()
  }
})

attack("DOS-03", "the cost of a long base path and of routes below it grows with their length", async (mode) => {
  const pathsFor: readonly ((size: number) => string)[] = [
    (size) => `/${"a/".repeat(size)}session`,
    (size) => `/${"a/".repeat(2 * size)}`,
    (size) => `/${"/".repeat(4 * size)}session`,
  ]
  const siteAt = (size: number) =>
    bare(mode, {
      url: `${new URL(address).origin}/${"a/".repeat(size)}`,
      basePath: `/${"a/".repeat(size)}`,
    })
  for (const pathFor of pathsFor) {
    await expectLinear(
      (size) => {
        const { get } = siteAt(size)
        return () => get(pathFor(size))
      },
      [125, 500, 2000],
    )
  }
  expect((await siteAt(2000).get(`/${"a/".repeat(2000)}session`)).status).toBe(200)
})
