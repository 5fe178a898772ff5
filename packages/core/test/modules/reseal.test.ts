import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit/memory"
import { createServer, resealRecords } from "@latchkey/core/server"
import { defineModule, integer, owner, record, sealed, text } from "@latchkey/core/module"
import type { RecordStore } from "@latchkey/core/adapters"
import type { AuthConfig } from "@latchkey/core/types"
import { describe, expect, test } from "vitest"
import { code } from "./setup.js"

const [before, after] = ["the-former-secret-0123456789abcdef", "the-newest-secret-0123456789abcdef"]

const records = {
  apiKey: record(
    { id: text(), userId: owner(), token: sealed(), note: sealed().optional(), uses: integer() },
    { key: ["id"] },
  ),
  plain: record({ id: text() }, { key: ["id"] }),
}

interface Keys {
  add(id: string, token: string, note?: string): Promise<boolean>
  tokenOf(id: string): Promise<readonly (string | undefined)[]>
  use(id: string): Promise<boolean>
}

const keys = () =>
  defineModule<"keys", Keys, typeof records>({
    id: "keys",
    records,
    members: ["add", "tokenOf", "use"],
    load: async () => ({
      server: ({ records: { apiKey, plain } }) => ({
        async add(id, token, note) {
          await plain.insert({ id })
          return apiKey.insert({ id, userId: `u-${id}`, token, uses: 0, ...(note !== undefined && { note }) })
        },
        async tokenOf(id) {
          const found = await apiKey.get({ id })
          return found === null ? [] : [found.token, found.note]
        },
        async use(id) {
          const found = await apiKey.get({ id })
          return found !== null && apiKey.swap(found, { uses: found.uses + 1 })
        },
      }),
    }),
  })

/** The application with these secrets, the newest first. */
function application(adapter: MemoryAdapter, secret: string | string[], rest: Partial<AuthConfig> = {}) {
  const session = { strategy: "jwt" } as const
  const silent = { error: () => undefined, warn: () => undefined }
  const config: AuthConfig = {
    trustHost: true,
    providers: [code],
    modules: [keys()],
    logger: silent,
    adapter,
    session,
    secret,
  }
  const { members } = createServer({ ...config, ...rest })
  return {
    call: async (name: keyof Keys, ...args: unknown[]) => members["keys"]?.[name]?.(...args),
    reseal: (options?: { readonly check: boolean }) => resealRecords({ ...config, ...rest }, options),
  }
}

/** A store with records of the former secret. */
async function filled(count = 3): Promise<MemoryAdapter> {
  const adapter = memoryAdapter()
  const { call } = application(adapter, before)
  for (let at = 0; at < count; at++) await call("add", `k${at}`, `token ${at}`, at === 0 ? "note" : undefined)
  return adapter
}

describe("`resealRecords`", () => {
  test("seals what modules keep with the newest secret, so that the former one can go", async () => {
    const adapter = await filled()
    const rotating = application(adapter, [after, before])
    await rotating.call("add", "new", "newer")
    expect(await rotating.reseal()).toEqual({ outdated: 3, unreadable: 0 })
    const done = adapter.rows().records
    expect(await rotating.reseal()).toEqual({ outdated: 0, unreadable: 0 })
    expect(adapter.rows().records).toEqual(done)
    const { call } = application(adapter, after)
    expect(await call("tokenOf", "k0")).toEqual(["token 0", "note"])
    expect(await call("tokenOf", "k2")).toEqual(["token 2", undefined])
    expect(await call("tokenOf", "new")).toEqual(["newer", undefined])
  })

  test("changes nothing but sealed fields and the version", async () => {
    const adapter = await filled(1)
    const [stored] = adapter.rows().records.filter(({ kind }) => kind === "keys.api-key")
    if (stored === undefined) throw new Error("There is no record")
    const expiresAt = new Date(Date.now() + 60_000)
    const later = { ...stored, data: JSON.stringify({ ...JSON.parse(stored.data), ofALaterRelease: 1 }), expiresAt }
    await adapter.records.swap(later, new Date())
    await application(adapter, [after, before]).reseal()
    const resealed = await adapter.records.get(stored.kind, stored.key)
    expect(resealed).toEqual({ ...later, version: 3, data: expect.not.stringContaining(stored.data) })
    const { token, note, ...others } = JSON.parse(resealed?.data ?? "")
    expect(others).toEqual({ id: "k0", userId: "u-k0", uses: 0, ofALaterRelease: 1 })
    expect([token, note]).toEqual([expect.any(String), expect.any(String)])
  })

  test("with `check` counts, and changes nothing", async () => {
    const adapter = await filled()
    const stored = adapter.rows().records
    expect(await application(adapter, [after, before]).reseal({ check: true })).toEqual({ outdated: 3, unreadable: 0 })
    expect(adapter.rows().records).toEqual(stored)
  })

  test("counts what no secret opens, leaves it, and goes on", async () => {
    const adapter = await filled()
    const stored = adapter.rows().records
    await application(adapter, [after, "another-secret-0123456789abcdefghi"]).reseal()
    expect(adapter.rows().records).toEqual(stored)
    const other = application(adapter, ["another-secret-0123456789abcdefghi", before])
    await other.call("add", "k9", "token 9")
    expect(await application(adapter, [after, before]).reseal()).toEqual({ outdated: 3, unreadable: 1 })
  })

  test("leaves what a request of the application changes or removes at the same time", async () => {
    const adapter = await filled()
    /** An instance that knows both, and still seals with the former one. */
    const running = application(adapter, [before, after])
    let writes = 0
    const swap: RecordStore["swap"] = async (record, now) => {
      writes += 1
      if (writes <= 2) await running.call("use", "k0")
      if (record.key === "k1") await adapter.records.remove(record.kind, "k1")
      return adapter.records.swap(record, now)
    }
    const interrupted = application(adapter, [after, before], { records: { ...adapter.records, swap } })
    expect(await interrupted.reseal()).toEqual({ outdated: 2, unreadable: 0 })
    const { call } = application(adapter, after)
    expect(await call("tokenOf", "k0")).toEqual(["token 0", "note"])
    expect(await call("tokenOf", "k1")).toEqual([])
    const uses = adapter.rows().records.map(({ key, data }) => [key, JSON.parse(data).uses])
    expect(Object.fromEntries(uses.filter(([, count]) => count !== undefined))).toEqual({ k0: 2, k2: 0 })
  })

  test("reads every page", async () => {
    const adapter = await filled(5)
    const pages: number[] = []
    const list: RecordStore["list"] = async (kind, page) => {
      const found = await adapter.records.list(kind, { ...page, limit: 2 })
      pages.push(found.records.length)
      return found
    }
    const { reseal } = application(adapter, [after, before], { records: { ...adapter.records, list } })
    expect(await reseal()).toEqual({ outdated: 5, unreadable: 0 })
    expect(pages).toEqual([2, 2, 1])
  })

  test("has nothing to do without modules", async () => {
    const { reseal } = application(memoryAdapter(), [after, before], { modules: [] })
    expect(await reseal()).toEqual({ outdated: 0, unreadable: 0 })
  })
})
