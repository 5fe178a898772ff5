import type { Adapter } from "@latchkey/core/adapters"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { createProvider, visit } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { outcome, secret } from "../flows/oauth/app.js"
import { claiming, expectAccepted, expectNotLinked, expectRefused, world } from "./openid-setup.js"

attack(
  "OIDX-06",
  "a subject that is too long, or has other than printable ASCII characters, is refused",
  async (mode) => {
    const subjects = [
      "a".repeat(100_000),
      "a".repeat(256),
      "ada\u0000",
      "\u0000",
      "ada\n",
      "ada\r\ngrace",
      "ada\u007f",
      "ad\u0061\u0301",
      "аda",
      "ada\u200b",
      "ａda",
      "\ud800",
      1,
      1e21,
      -0,
    ]
    for (const sub of subjects) await expectRefused(mode, claiming({ sub }))
    for (const sub of subjects) await expectRefused(mode, claiming({ sub }), { provider: { idToken: false } })
    await expectNotLinked(mode, claiming({ sub: "ada\u0000" }))
  },
)

attack("OIDX-06", "a subject of 255 printable characters is stored unchanged", async (mode) => {
  const all = String.fromCharCode(...Array.from({ length: 95 }, (_, at) => at + 0x20))
  for (const sub of ["a".repeat(255), all, " ada ", "1", "null"]) await expectLetters(mode, sub)
})

async function expectLetters(mode: Parameters<typeof world>[0], sub: string): Promise<void> {
  await (sub === "null" ? expectRefused(mode, claiming({ sub })) : expectAccepted(mode, claiming({ sub }), {}, sub))
}

attack("OIDX-06", "subjects that differ by case, space or accent are different users", async (mode) => {
  const { op, browser, adapter } = await world(mode)
  const subjects = ["ada", "ADA", "Ada", "ada ", " ada", "ada.", "a-da"]
  for (const sub of subjects) {
    const undo = op.inject(claiming({ sub, email: undefined }))
    await browser.fresh().signInWith(op, { as: "ada" })
    undo()
  }
  const { users, accounts } = adapter.rows()
  expect(accounts.map(({ providerAccountId }) => providerAccountId)).toEqual(subjects)
  expect(new Set(accounts.map(({ userId }) => userId)).size).toBe(subjects.length)
  expect(users).toHaveLength(subjects.length)
})

type Rows = ReturnType<typeof memoryAdapter>["rows"]

/** Finds account ids without regard to case, as a database with a case-insensitive collation does. */
function collating(): { readonly adapter: Adapter; readonly rows: Rows } {
  const memory = memoryAdapter()
  const stored = (wanted: string) =>
    memory.rows().accounts.find(({ providerAccountId }) => providerAccountId.toLowerCase() === wanted.toLowerCase())
      ?.providerAccountId ?? wanted
  const { transaction: _, ...methods } = memory
  const adapter: Adapter = {
    ...methods,
    getUserByAccount: async ({ provider, providerAccountId }) =>
      (await memory.getUserByAccount?.({ provider, providerAccountId: stored(providerAccountId) })) ?? null,
    getAccount: async (id, provider) => (await memory.getAccount?.(stored(id), provider)) ?? null,
    linkAccount: async (account) =>
      memory.linkAccount?.({ ...account, providerAccountId: stored(account.providerAccountId) }),
  }
  return { adapter, rows: () => memory.rows() }
}

attack("OIDX-06", "a database that ignores case in subjects does not sign in as another user", async (mode) => {
  const { adapter, rows } = collating()
  const op = createProvider()
  const browser = await visit({ secret, trustHost: ["app.test"], providers: [op.provider()], adapter, security: mode })
  await browser.signInWith(op, { as: "ada" })
  const before = rows()
  const thief = browser.fresh()
  for (const sub of ["ADA", "Ada", "aDa"]) {
    const undo = op.inject(claiming({ sub, email: "mallory@example.test", name: "Mallory" }))
    await thief.signInWith(op, { as: "grace" })
    undo()
    expect(await thief.session()).toBeNull()
    expect(outcome(thief)).toBe("Configuration")
  }
  expect(rows()).toEqual(before)
  await browser.signInWith(op, { as: "ada" })
  expect(outcome(browser)).toBe("home")
  expect(rows().users).toEqual(before.users)
})
