import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { mailbox } from "../flows/signin/setup.js"
import { app, cookieNames } from "../http/app.js"
import { observedStore, site, tally } from "../limits/setup.js"
import { strongSecret } from "../modes/setup.js"

/** Counts of one process. A clock of its own has a memory of its own. */
const newProcess = () => ({ runtime: { now: () => Date.UTC(2026, 0, 1) } })

attack("RATE-01", "`rateLimits` of an adapter counts for all processes, without configuration", async (mode) => {
  const { store } = observedStore()
  const processes = Array.from({ length: 4 }, () =>
    site({ adapter: { ...memoryAdapter(), rateLimits: store }, ...newProcess() }, mode),
  )
  await tally(60, async (at) => processes[at % 4]?.tryPassword("owner") ?? Response.error())
  expect(processes.reduce((sum, { checked }) => sum + checked.length, 0)).toBe(30)
})

attack("MAIL-06", "several processes together check five codes of an email", async (mode) => {
  for (const [wrongCodes, isSignedIn] of [
    [4, true],
    [5, false],
  ] as const) {
    const mail = mailbox()
    const security = mode === "strict" ? { mode, revocableSessions: false } : mode
    const shared = { security, secret: strongSecret, adapter: memoryAdapter(), url: "https://app.test/auth" } as const
    const inProcess = () =>
      app({ ...shared, session: { strategy: "jwt" }, providers: [mail.provider], ...newProcess() })
    const asked = await inProcess().post("/auth/signin/email", { email: "victim@example.test" })
    const cookie = asked.headers
      .getSetCookie()
      .map((line) => line.split(";")[0] ?? "")
      .join("; ")
    const code = mail.sent.at(-1)?.code ?? ""
    const guess = async (typed: string) =>
      cookieNames(await inProcess().post("/auth/callback/email", { code: typed }, { cookie }))
    for (let round = 0; round < wrongCodes; round++) await guess(code === "000000" ? "000001" : "000000")
    expect((await guess(code)).some((name) => name.endsWith("authjs.session-token"))).toBe(isSignedIn)
  }
})
