import type { AuthConfig, VerificationRequest } from "@latchkey/core/types"
import { createServer } from "@latchkey/core/server"
import { sqlite } from "@latchkey/sql/sqlite"
import { frozenClock, visit } from "@latchkey/testing"
import { expect, test } from "vitest"
import { anonymous } from "../src/index.js"
import { isSignedIn, modes } from "./site.js"

test.each(modes)(
  "an anonymous user becomes an account, and another one is swept, with SQLite (%s)",
  async (security) => {
    const [links, upgrades, clock, adapter] = [
      [] as VerificationRequest[],
      [] as string[][],
      frozenClock(),
      sqlite(":memory:"),
    ]
    const config: AuthConfig = {
      secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw",
      url: "https://app.test/auth",
      security,
      rateLimit: false,
      adapter,
      session: { strategy: "database" },
      runtime: clock.runtime,
      providers: [
        { id: "email", name: "Email", type: "email", sendVerificationRequest: (message) => void links.push(message) },
      ],
      modules: [anonymous({ onUpgrade: ({ anonymous: from, user }) => void upgrades.push([from.id, user.id]) })],
    }
    const browser = await visit(config, { clock })
    await browser.signIn("anonymous")
    expect(await isSignedIn(browser)).toBe(true)
    await browser.signIn("email", { email: "ada@users.test" })
    await browser.get(links.at(-1)?.url ?? "")
    const user = await adapter.getUserByEmail?.("ada@users.test")
    expect(upgrades.map(([, to]) => to)).toEqual([user?.id])
    expect(await adapter.getUser?.(upgrades[0]?.[0] ?? "")).toBeNull()
    await (await visit(config, { clock })).signIn("anonymous")
    clock.advance({ days: 60 })
    expect(await createServer(config).members["anonymous"]?.["sweep"]?.()).toEqual({
      removed: 1,
      upgraded: 0,
      failed: [],
    })
  },
)
