import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import credentials from "@latchkey/core/providers/credentials"
import type { AuthConfig, RateLimitStore } from "@latchkey/core/types"
import { createProvider, frozenClock, type FrozenClock } from "@latchkey/testing"
import type { Mode } from "../../../../tests/attack.js"
import { type App, app, origin } from "../http/app.js"

/** The client address of a request; without it the address is unknown. */
export interface From {
  readonly from?: string
  readonly path?: string
  readonly headers?: Record<string, string>
}

export interface Site extends App {
  readonly clock: FrozenClock
  /** Whose passwords were checked, in order. */
  readonly checked: readonly string[]
  /** The recipients of messages, in order. */
  readonly mailed: readonly string[]
  readonly links: readonly string[]
  readonly adapter: ReturnType<typeof memoryAdapter>
  /** The arguments of `signInFailure`. */
  readonly failures: readonly string[]
  /** The correct password is "open". */
  tryPassword(username: string, password?: string, from?: From): Promise<Response>
  askForLink(email: string, from?: From): Promise<Response>
}

/** A site with passwords, email links and a provider, a stopped clock and the default limits. */
export function site(given: Partial<AuthConfig> = {}, mode: Mode = "compatible"): Site {
  const clock = frozenClock()
  const [checked, mailed, links, failures]: string[][] = [[], [], [], []]
  const adapter = memoryAdapter()
  const password = credentials({
    credentials: { username: {}, password: { type: "password" } },
    async authorize({ username, password }) {
      checked?.push(String(username))
      await Promise.resolve()
      return password === "open" ? { id: String(username), name: String(username) } : null
    },
  })
  const mail = {
    id: "mail",
    name: "Mail",
    type: "email",
    sendVerificationRequest({ identifier, url }: { identifier: string; url: string }) {
      mailed?.push(identifier)
      links?.push(url)
    },
  } as const
  const its = app({
    url: `${origin}/auth`,
    security: mode === "strict" ? { mode, revocableSessions: false } : mode,
    adapter,
    session: { strategy: "jwt" },
    providers: [password, mail, createProvider({ clock }).provider()],
    runtime: clock.runtime,
    events: { signInFailure: ({ error }) => void failures?.push(error.name) },
    ...given,
  })
  return {
    ...its,
    clock,
    adapter,
    checked: checked ?? [],
    mailed: mailed ?? [],
    links: links ?? [],
    failures: failures ?? [],
    tryPassword: async (username, word = "wrong", { from, path, headers } = {}) =>
      its.post(path ?? "/auth/callback/credentials", { username, password: word }, sent(from, headers)),
    askForLink: async (email, { from, headers } = {}) => its.post("/auth/signin/mail", { email }, sent(from, headers)),
  }
}

function sent(from: string | undefined, headers: Record<string, string> = {}): Record<string, string> {
  return { ...(from !== undefined && { "x-forwarded-for": from }), ...headers }
}

/** Behind one trusted proxy that sends `X-Forwarded-For`. */
export const proxied = { rateLimit: { trustedProxies: 1 } } satisfies Partial<AuthConfig>

/** How often each status occurs in a number of sequential attempts. */
export async function tally(
  times: number,
  attempt: (at: number) => Promise<Response>,
): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (let at = 0; at < times; at++) {
    const { status } = await attempt(at)
    counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}

/** A working store that records its calls; `fault` replaces what it does. */
export function observedStore(fault?: () => Promise<never>) {
  const asked: string[] = []
  const counts = new Map<string, number>()
  const store: RateLimitStore = {
    async take(key, { points }) {
      asked.push(key)
      await fault?.()
      const count = (counts.get(key) ?? 0) + 1
      if (count <= points) counts.set(key, count)
      return { allowed: count <= points, retryAfter: 4.2 }
    },
    async giveBack(key) {
      await fault?.()
      counts.set(key, (counts.get(key) ?? 0) - 1)
    },
  }
  return { store, asked, counts }
}
