// Four processes renew one access token, over real databases and a provider that accepts each refresh token once.
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TokenResult } from "@latchkey/core/types"
import { createProvider, type FakeProvider, frozenClock, hang, visit } from "@latchkey/testing"
import { afterAll, describe, expect, inject, test } from "vitest"
import { newDatabase, newMysqlDatabase } from "../../packages/sql/test/databases.js"
import { start } from "./processes.js"
import { openRecords, type Place } from "./record-stores.js"
import { vaultConfig, type VaultProvider } from "./vault-config.js"
import type { VaultOrder } from "./vault-process.js"

const places: readonly { readonly needs?: "postgres" | "mariadb" | "redis"; open(): Promise<Place> }[] = [
  {
    open: async () => {
      const folder = await mkdtemp(join(tmpdir(), "latchkey-vault-"))
      afterAll(() => rm(folder, { recursive: true, force: true }))
      return { kind: "SQLite", address: join(folder, "records.db") }
    },
  },
  { needs: "postgres", open: async () => ({ kind: "PostgreSQL", address: await newDatabase("crash_vault") }) },
  { needs: "mariadb", open: async () => ({ kind: "MariaDB", address: await newMysqlDatabase("crash_vault") }) },
  { needs: "redis", open: async () => ({ kind: "Redis", address: inject("redis") ?? "" }) },
]

const userId = "op:ada"

async function give(child: ChildProcess, order: VaultOrder): Promise<readonly TokenResult[]> {
  child.send(order)
  const [answer]: readonly { results?: readonly TokenResult[]; failure?: string }[] = await once(child, "message")
  if (answer?.results === undefined) throw new Error(answer?.failure)
  return answer.results
}

/** A provider in this process, and a token of it that has expired. */
async function expired(place: Place): Promise<{ op: FakeProvider; provider: VaultProvider; close(): Promise<void> }> {
  const clock = frozenClock(Date.now() - 7_200_000)
  const op = createProvider({ clock })
  const { close, url } = await op.listen()
  const { clientId, clientSecret } = op
  const provider = { issuer: url, clientId, clientSecret }
  const opened = openRecords(place)
  const browser = await visit({ ...vaultConfig(opened.records, provider), runtime: clock.runtime }, { clock })
  await browser.signInWith(op, { as: "ada" })
  clock.set(Date.now())
  await opened.close()
  return { op, provider, close }
}

function refreshes(op: FakeProvider): number {
  return op.requestsTo("token").filter(({ form }) => form.get("grant_type") === "refresh_token").length
}

async function children(count: number, order: VaultOrder): Promise<readonly ChildProcess[]> {
  const started = Array.from({ length: count }, () => start("vault-process.ts"))
  await Promise.all(started.map(async (child) => give(child, order)))
  return started
}

for (const { needs, open } of places) {
  const isThere = needs === undefined || inject(needs) !== undefined
  const place = isThere ? await open() : { kind: "Redis" as const, address: "" }

  describe.skipIf(!isThere)(`the vault over ${isThere ? place.kind : needs}`, () => {
    test("50 calls in each of 4 processes make one request to the provider, and all get its token", async () => {
      const { op, provider, close } = await expired(place)
      const processes = await children(4, { kind: "open", place, provider })
      try {
        for (let round = 1; round <= 2; round++) {
          const asked = await Promise.all(
            processes.map(async (child) => give(child, { kind: "ask", times: 50, userId })),
          )
          const results = asked.flat()
          expect(results).toHaveLength(200)
          expect(results.filter(({ problem }) => problem !== undefined)).toEqual([])
          expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1)
          expect(refreshes(op)).toBe(1)
        }
      } finally {
        for (const child of processes) child.kill()
        await close()
      }
    })
  })
}

test("if the process that renews a token is killed, another one renews it within the provider's grace window", async () => {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-vault-"))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const place: Place = { kind: "SQLite", address: join(folder, "records.db") }
  const { op, provider, close } = await expired(place)
  const [doomed, other] = await children(2, { kind: "open", place, provider })
  if (doomed === undefined || other === undefined) throw new Error("There are no two processes")
  try {
    const slow = hang("token")
    const arrived = op.inject(slow.fault)
    doomed.send({ kind: "ask", times: 1, userId } satisfies VaultOrder)
    await slow.reached
    doomed.kill("SIGKILL")
    arrived()
    slow.release()
    op.inject({ overlook: ({ reason }) => reason === "refresh-token-used" })
    let results: readonly TokenResult[] = []
    // The lease of the process that is gone takes 15 seconds, and a call waits for half of it.
    for (let attempt = 0; attempt < 4 && (attempt === 0 || results[0]?.problem === "unavailable"); attempt++)
      results = await give(other, { kind: "ask", times: 1, userId })
    expect(results[0]).toMatchObject({ account: "ada" })
    expect(refreshes(op)).toBe(2)
  } finally {
    doomed.kill()
    other.kill()
    await close()
  }
}, 60_000)
