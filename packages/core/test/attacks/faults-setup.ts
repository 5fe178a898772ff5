import type { Adapter } from "@latchkey/core/adapters"
import type { AuthConfig } from "@latchkey/core/types"
import { type Browser, captureLog } from "@latchkey/testing"
import { memoryAdapter, type MemoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Mode } from "../../../../tests/attack.js"
import { withoutTransactions } from "../flows/signin/setup.js"
import { appOf, mailer, world } from "../modes/setup.js"

export const stores = ["with transactions", "without transactions"] as const
export type Store = (typeof stores)[number]

/** How a call fails. With the last two faults, the call still has its effect. */
export const faults = ["throws", "rejects", "rejects afterwards", "returns undefined"] as const
export type Fault = (typeof faults)[number]

/** An adapter whose armed method fails once, also inside transactions. */
export function faulty(adapter: Adapter) {
  let armed: { readonly method: string; readonly fault: Fault } | undefined
  let hit = false
  const calls: string[] = []
  const run = (method: string, work: () => unknown): unknown => {
    calls.push(method)
    if (armed?.method !== method) return work()
    const { fault } = armed
    armed = undefined
    hit = true
    if (fault === "throws") throw new Error("connection lost")
    if (fault === "rejects") return Promise.reject(new Error("connection lost"))
    return Promise.resolve(work()).then(() => {
      if (fault === "rejects afterwards") throw new Error("connection lost")
    })
  }
  const wrap = (inner: Adapter): Adapter =>
    new Proxy(inner, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== "function" || typeof name !== "string") return member
        if (name !== "transaction") return (...args: unknown[]) => run(name, () => Reflect.apply(member, target, args))
        return (work: (inside: Adapter) => Promise<unknown>) =>
          run(name, () => target.transaction?.((inside) => work(wrap(inside))))
      },
    })
  const arm = (method: string, fault: Fault) => {
    armed = { method, fault }
    hit = false
  }
  return { adapter: wrap(adapter), arm, hit: () => hit, calls }
}

/** An application with a faulty adapter, two OpenID providers and an email provider. */
export async function faultySite(
  security: Mode,
  kind: Store,
  rest: Partial<AuthConfig> = {},
  around: (adapter: Adapter) => Adapter = (adapter) => adapter,
) {
  const store = memoryAdapter()
  const broken = faulty(around(kind === "with transactions" ? store : withoutTransactions(store)))
  const its = { ...world(), adapter: store }
  const [mail, log] = [mailer(), captureLog()]
  const given: Partial<AuthConfig> = {
    security,
    adapter: broken.adapter,
    session: { strategy: "database", maxAge: 864_000 },
    logger: log.logger,
    providers: [its.op.provider(), its.other.provider(), mail.provider],
    ...rest,
  }
  const browser = await appOf(its, given)
  return { its, store, mail, log, browser, given, ...broken }
}

export type Site = Awaited<ReturnType<typeof faultySite>>

/** Users without an account or a verified email, and rows without a user. */
export function halfCreated(store: MemoryAdapter): readonly unknown[] {
  const { users, accounts, sessions } = store.rows()
  const orphans = users.filter(
    ({ id, emailVerified }) => emailVerified === null && !accounts.some(({ userId }) => userId === id),
  )
  const withoutUser = [...accounts, ...sessions].filter(({ userId }) => !users.some(({ id }) => id === userId))
  return [...orphans, ...withoutUser]
}

export function errorOf({ location }: Browser): string | null {
  return new URL(location).searchParams.get("error")
}

export const hasSession = ({ cookies }: Browser): boolean => cookies.some(({ name }) => name.includes("session-token"))
export const flowCookies = ({ cookies }: Browser): readonly string[] =>
  cookies.map(({ name }) => name).filter((name) => /\.state\./.test(name))
