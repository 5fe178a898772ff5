import { audit, type AuditServer, type AuditSink } from "@latchkey/audit"
import credentials from "@latchkey/core/providers/credentials"
import { createServer } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import { captureLog, visit } from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"
import { memorySink } from "./site.js"

const byName = credentials({
  credentials: { name: {} },
  authorize: ({ name }) => (name === "ada" ? { id: "1", name: "Ada" } : null),
})

/** Users sign in with their name. Each sign-in and each refusal is an entry. */
async function siteOf(
  sinks: readonly AuditSink[],
  options: { readonly timeoutMs?: number; readonly maxWaiting?: number } = {},
) {
  const log = captureLog()
  const config: AuthConfig = {
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw",
    url: "https://app.test/auth",
    providers: [byName],
    logger: log.logger,
    rateLimit: false,
    modules: [audit({ sinks, timeoutMs: 20, ...options })],
  }
  const browser = await visit(config)
  const server = createServer(config).members["audit"] as unknown as AuditServer
  const signIn = async (name = "ada") => browser.signIn("credentials", { name })
  const problems = () => log.entries.map((entry) => JSON.stringify(entry)).filter((text) => text.includes("audit log"))
  return { browser, log, server, signIn, problems }
}

const isSignedIn = async ({ browser }: Awaited<ReturnType<typeof siteOf>>) => (await browser.session()) !== null

describe("a sink", () => {
  test("has the entry before the response", async () => {
    const sink = memorySink()
    const site = await siteOf([sink])
    await site.signIn()
    expect(sink.entries.map(({ name, outcome, subject }) => [name, outcome, subject])).toEqual([
      ["sign-in", "success", { kind: "user", id: "1" }],
    ])
    await site.signIn("grace-hopper")
    expect(sink.entries.at(-1)).toMatchObject({
      v: 1,
      name: "sign-in",
      outcome: "failure",
      reason: "CredentialsSignin",
    })
  })

  test.each(["throw", "hang"] as const)(
    "that %ss breaks no sign-in, and gets what it missed, in order",
    async (how) => {
      const [broken, healthy] = [memorySink("broken"), memorySink("healthy")]
      const site = await siteOf([broken, healthy])
      broken.next = how
      await site.signIn()
      expect(await isSignedIn(site)).toBe(true)
      for (let count = 0; count < 5; count++) await site.signIn("grace-hopper")
      expect(broken.entries).toEqual([])
      expect(healthy.entries).toHaveLength(6)
      expect(site.problems()).toHaveLength(1)
      expect(site.problems()[0]).toContain("broken")
      broken.next = "keep"
      expect(await site.server.flush()).toEqual({ waiting: 0, lost: 0 })
      expect(broken.entries).toEqual(healthy.entries)
    },
  )

  test("that hangs is waited for once, and no other request waits", async () => {
    const sink = memorySink()
    const site = await siteOf([sink])
    sink.next = "hang"
    await site.signIn()
    // No timer fires from here on. After two minutes, the sink is tried again.
    vi.useFakeTimers({ toFake: ["setTimeout", "Date"] })
    try {
      await site.signIn("grace-hopper")
      expect(sink.calls).toEqual([1])
      vi.setSystemTime(Date.now() + 120_000)
      await site.signIn("grace-hopper")
    } finally {
      vi.useRealTimers()
    }
    expect(sink.calls).toEqual([1, 3])
  })

  test("that throws at once, or isn't a function of promises, breaks nothing", async () => {
    const odd = {
      name: "odd",
      write() {
        throw new TypeError("not a promise")
      },
    } as AuditSink
    const site = await siteOf([odd])
    await site.signIn()
    expect(await isSignedIn(site)).toBe(true)
    expect(site.problems()).toHaveLength(1)
  })

  test("that was down for too long loses the newest entries, and is told how many", async () => {
    const sink = memorySink()
    const site = await siteOf([sink], { maxWaiting: 3 })
    sink.next = "throw"
    for (let count = 0; count < 8; count++) await site.signIn("grace-hopper")
    expect(site.problems()).toHaveLength(2)
    expect(site.problems()[1]).toContain("1 are lost")
    expect(await site.server.flush()).toEqual({ waiting: 3, lost: 5 })
    sink.next = "keep"
    expect(await site.server.flush()).toEqual({ waiting: 0, lost: 5 })
    expect(sink.entries.map(({ name, data }) => [name, data?.["count"]])).toEqual([
      ...Array.from({ length: 3 }, () => ["sign-in", undefined]),
      ["audit.lost", 5],
    ])
  })

  test("gets what waits in batches, and each entry once if nothing fails", async () => {
    const sink = memorySink()
    const site = await siteOf([sink])
    sink.next = "throw"
    for (let count = 0; count < 150; count++) await site.signIn("grace-hopper")
    sink.next = "keep"
    await site.server.flush()
    expect(sink.calls.slice(-2)).toEqual([100, 50])
    expect(new Set(sink.entries.map(({ id }) => id)).size).toBe(150)
  })

  test("that refuses an entry gets the others and is told, and only that entry is lost", async () => {
    const [kept, refused] = [memorySink(), "row refused"]
    let isDown = true
    const sink: AuditSink = {
      name: "strict",
      async write(entries) {
        const isRefused = entries.some(({ name, outcome }) => name === "sign-in" && outcome === "failure")
        if (isDown || isRefused) throw new Error(refused)
        await kept.write(entries)
      },
    }
    const site = await siteOf([sink])
    for (const name of ["ada", "grace-hopper", "ada", "ada"]) await site.signIn(name)
    isDown = false
    expect(await site.server.flush()).toEqual({ waiting: 0, lost: 1 })
    expect(kept.entries.map(({ name }) => name)).toEqual(["sign-in", "sign-in", "sign-in", "audit.lost"])
    await site.signIn("grace-hopper")
    expect(await site.server.flush()).toEqual({ waiting: 1, lost: 1 })
    await site.signIn("ada")
    expect(await site.server.flush()).toEqual({ waiting: 0, lost: 2 })
    expect(kept.entries.slice(4).map(({ name }) => name)).toEqual(["sign-in", "audit.lost"])
  })

  test("that takes nothing loses nothing", async () => {
    const sink = memorySink()
    const site = await siteOf([sink])
    sink.next = "throw"
    for (let count = 0; count < 5; count++) await site.signIn()
    expect(await site.server.flush()).toEqual({ waiting: 5, lost: 0 })
    sink.next = "keep"
    await site.server.flush()
    expect(new Set(sink.entries.map(({ id }) => id)).size).toBe(5)
  })

  test("whose write ended after all gets the same entries again, with the same ids", async () => {
    const sink = memorySink()
    const site = await siteOf([sink])
    sink.next = "hang"
    await site.signIn()
    sink.next = "keep"
    sink.release()
    await site.server.flush()
    const [first, second] = sink.entries
    expect(sink.entries).toHaveLength(2)
    expect(second).toEqual(first)
  })

  test("is closed after a flush", async () => {
    const done: string[] = []
    const sink: AuditSink = {
      name: "file",
      write: async () => void done.push("write"),
      close: async () => void done.push("close"),
    }
    const site = await siteOf([sink])
    await site.signIn()
    expect(await site.server.close()).toEqual({ waiting: 0, lost: 0 })
    expect(done).toEqual(["write", "close"])
  })
})

test("without sinks, each entry is a line of the console", async () => {
  const lines: unknown[] = []
  const write = vi.spyOn(console, "log").mockImplementation((line) => void lines.push(JSON.parse(String(line))))
  const browser = await visit({
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw",
    url: "https://app.test/auth",
    providers: [byName],
    modules: [audit()],
  })
  await browser.signIn("credentials", { name: "ada" })
  write.mockRestore()
  expect(lines).toMatchObject([{ v: 1, name: "sign-in" }])
})

test.each([
  ["no sink", { sinks: [] }],
  ["two sinks of one name", { sinks: [memorySink(), memorySink()] }],
  ["a timeout that is longer than core waits", { sinks: [memorySink()], timeoutMs: 5000 }],
  ["no room", { sinks: [memorySink()], maxWaiting: 0 }],
])("%s is a configuration error", async (_, options) => {
  const parts = await audit(options).load?.()
  expect(parts?.check?.()).toHaveLength(1)
})
