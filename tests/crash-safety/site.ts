import type { Adapter } from "@latchkey/core/adapters"
import credentials from "@latchkey/core/providers/credentials"
import type { AuthConfig } from "@latchkey/core/types"
import {
  type Browser,
  createProvider,
  type FakeProvider,
  frozenClock,
  type FrozenClock,
  visit,
} from "@latchkey/testing"
import { mailer, strongSecret } from "../../packages/core/test/modes/setup.js"
import type { Mode } from "../attack.js"

export interface Setting {
  readonly mode: Mode
  readonly strategy: "jwt" | "database"
}

export const settings: readonly Setting[] = (["strict", "compatible"] as const).flatMap((mode) =>
  (["database", "jwt"] as const).map((strategy) => ({ mode, strategy })),
)

/** What the browser of a user has at some moment. It outlives the process that serves it. */
export interface Belongings {
  readonly cookies: Browser["cookies"]
  readonly links: readonly string[]
  readonly now: number
}

/** An application, and the browser of one user. */
export interface Site {
  readonly setting: Setting
  readonly browser: Browser
  readonly op: FakeProvider
  readonly other: FakeProvider
  readonly clock: FrozenClock
  /** The links in the emails that were sent. */
  readonly links: string[]
  /** The store itself, unwrapped. */
  readonly store: Adapter
}

export const password = "correct horse"

/** Seconds. */
export const maxAge = 864_000

/** A provider that reports unverified emails, so that a user without an account stands out as an orphan. */
function providerOf(clock: FrozenClock, id: string): FakeProvider {
  const op = createProvider({ clock, id, issuer: `https://${id}.test` })
  for (const person of Object.values(op.people)) person.email_verified = false
  return op
}

/** The engine gets `engine` in place of the store. `had` is what the browser has from another process. */
export async function siteOf(
  setting: Setting,
  store: Adapter,
  { engine = store, had, rest = {} }: { engine?: Adapter; had?: Belongings; rest?: Partial<AuthConfig> } = {},
): Promise<Site> {
  const clock = frozenClock(had?.now)
  const [op, other, mail] = [providerOf(clock, "op"), providerOf(clock, "other"), mailer()]
  mail.links.push(...(had?.links ?? []))
  const typed = credentials({
    id: "password",
    credentials: { email: {}, password: {} },
    authorize: (given) => (given.password === password ? { id: "known", email: String(given.email) } : null),
  })
  const config: AuthConfig = {
    secret: strongSecret,
    url: "https://app.test/auth",
    adapter: engine,
    security: setting.mode,
    session: { strategy: setting.strategy, maxAge },
    rateLimit: false,
    providers: [op.provider(), other.provider(), mail.provider, typed],
    ...rest,
  }
  const browser = await visit(config, { clock })
  for (const cookie of had?.cookies ?? []) browser.jar.put(cookie)
  return { setting, browser, op, other, clock, links: mail.links, store }
}

export function belongingsOf({ browser, links, clock }: Site): Belongings {
  return { cookies: browser.cookies, links: [...links], now: clock.now() }
}

/** The value of the session cookie, with its chunks joined. */
export function sessionCookie({ cookies }: Browser): string | undefined {
  const pieces = cookies.filter(({ name }) => name.includes("session-token")).map(({ value }) => value)
  return pieces.length === 0 ? undefined : pieces.join("")
}

export function errorOf({ location }: Browser): string | null {
  return URL.canParse(location) ? new URL(location).searchParams.get("error") : null
}
