import { expect, vi } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { sessionCookie } from "../http/app.js"
import { mailer, strongSecret } from "../modes/setup.js"
import { nodeCrypto, publish, unwatch } from "./crypto-setup.js"
import { address, bare, quickest } from "./surface-setup.js"

const length = 60_000

/** Texts on which a careless expression takes the square of the length, or worse. */
const hostile = [
  "a".repeat(length),
  "a.".repeat(length / 2),
  `${"a".repeat(length)}!`,
  `${"-".repeat(length)}@`,
  ` ${"\t".repeat(length)}x`,
  "@".repeat(length),
  "%".repeat(length),
  ";".repeat(length),
  "a;".repeat(length / 2),
  ";=".repeat(length / 2),
  `"${"\\".repeat(length)}`,
  "/".repeat(length),
  "a-".repeat(length / 2),
]

attack("DOS-03", "no header, address or form field makes work that grows faster than its length", async (mode) => {
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
    for (const text of hostile) {
      if (at === 5 && encodeURIComponent(text).length > length) continue
      const time = await quickest(() => request(text), 3)
      expect(time, `request ${at} with ${JSON.stringify(text.slice(0, 9))}`).toBeLessThan(100)
    }
  }
})

attack(
  "DOS-03",
  "an error that quotes what was sent is written to the console in a time that is linear",
  async (mode) => {
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
    for (const text of hostile) {
      if (encodeURIComponent(text).length > length) continue
      expect(await quickest(() => post("/auth/callback/credentials", { name: text }), 2)).toBeLessThan(150)
    }
    expect(written.length).toBeGreaterThan(0)
  },
)

attack("DOS-03", "the cookie parser takes twice the time for twice the text", async (mode) => {
  const { get } = bare(mode)
  const time = (size: number) => quickest(() => get("/auth/session", { cookie: ";".repeat(size) }), 7)
  await time(100_000)
  expect(await time(1_600_000)).toBeLessThan(8 * (await time(400_000)) + 5)
})

attack("DOS-03", "a flood of tokens with made-up key ids derives no key anew", async (mode) => {
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

attack(
  "DOS-03",
  "a base path full of separators is settled once, and addresses below it are found at once",
  async (mode) => {
    const { get } = bare(mode, {
      url: `${new URL(address).origin}/${"a/".repeat(2000)}`,
      basePath: `/${"a/".repeat(2000)}`,
    })
    for (const path of [`/${"a/".repeat(2000)}session`, `/${"a/".repeat(4000)}`, `/${"/".repeat(8000)}session`])
      expect(await quickest(() => get(path), 3)).toBeLessThan(50)
    expect((await get(`/${"a/".repeat(2000)}session`)).status).toBe(200)
  },
)
