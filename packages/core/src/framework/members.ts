import { type UserAccount, accountFunctions, readingFunctions } from "../model/account.js"
import { membersOf, modulesIn } from "../module-kit/members.js"
import type { Visitor } from "../model/http.js"
import type { ServerToken, TokenOptions, TokenRequest, TokenResult } from "../model/provider-token.js"
import type { Module } from "../module-kit/model.js"
import type { Awaitable } from "../primitives/awaitable.js"
import type { Calls } from "./calls.js"
import type { Integration, Token, UserFunctions } from "./model.js"
import { keep, markChanged, requireUnsent, visitorOf } from "./state.js"

/** What modules add to an integration. Their errors say no more in production than others do. */
export function memberFunctions<E extends object>(
  { authFor, run }: Calls<E>,
  modules: readonly Module[],
): Pick<Integration<E, unknown>, "members" | "membersFor"> {
  const of = (modules: readonly Module[], event: E | undefined) =>
    membersOf(modules, (id, name, args) =>
      run(
        event,
        authFor(event).then(({ server }) => server.members[id]?.[name]?.(...args)),
      ),
    )
  return {
    members: (event) => of(modules, event),
    membersFor: async (event) => of(modulesIn((await authFor(event)).config, undefined), event),
  }
}

/**
 * Makes a configuration function for the events of a framework, from one of other arguments. A function without parameters stays
 * one, because it can be called outside of requests.
 */
export function forEvents<E, A extends readonly [unknown, ...unknown[]], C>(
  find: (...args: A) => C,
  argumentsOf: (event: E) => A,
): (event: E) => C {
  const plain: unknown = find
  return find.length === 0 ? (plain as () => C) : (event) => find(...argumentsOf(event))
}

/** The functions of an account. Each call keeps the cookies that it sets, for later calls and for the response. */
export function accountOf<E extends object>(
  calls: Calls<E>,
  event: E,
  changed?: () => Awaitable<unknown>,
): UserAccount {
  const state = calls.stateOf(event)
  const call =
    (name: keyof UserAccount) =>
    async (...args: unknown[]): Promise<unknown> => {
      const isChange = !readingFunctions.has(name)
      if (isChange) requireUnsent(state, event)
      const { server } = await calls.authFor(event)
      const account = server.account(visitorOf(state, event))
      try {
        return await Reflect.apply(account[name], account, args)
      } finally {
        // The next read of the session finds what the call has left of it.
        if (isChange) markChanged(state)
        keep(state, event, account.cookies)
        if (isChange) await changed?.()
      }
    }
  return Object.fromEntries(accountFunctions.map((name) => [name, call(name)])) as unknown as UserAccount
}

/**
 * The same integration, for frameworks that keep the session where pages find it: `show` gets the one that a sign-in, a sign-out,
 * an update or a change of the account has left.
 *
 * @example
 * ```ts
 * import { type Integration, showing } from "@latchkey/core/integration"
 *
 * type Event = { readonly locals: { session?: unknown } }
 * export const withLocals = (integration: Integration<Event, unknown>) =>
 *   showing(integration, ({ locals }, session) => void Object.assign(locals, { session }))
 * ```
 */
export function showing<E extends object, S>(
  auth: Integration<E, S>,
  show: (event: E, session: S | null) => void,
): Integration<E, S> {
  async function shown<R>(event: E, work: Promise<R>): Promise<R> {
    const result = await work
    show(event, await auth.session(event))
    return result
  }
  return {
    ...auth,
    signIn: (event, ...rest) => shown(event, auth.signIn(event, ...rest)),
    signOut: (event, ...rest) => shown(event, auth.signOut(event, ...rest)),
    update: (event, data) => shown(event, auth.update(event, data)),
    account: (event, changed) =>
      auth.account(event, async () => {
        show(event, await auth.session(event))
        await changed?.()
      }),
  }
}

/** Access tokens of the user who sent the request. */
export function tokenOf<E extends object>({ authFor, run, stateOf }: Calls<E>): Token<E> {
  const call = <T>(event: E, work: (token: ServerToken, visitor: Visitor) => Promise<T>): Promise<T> =>
    run(
      event,
      authFor(event).then(({ server }) => work(server.token, visitorOf(stateOf(event), event))),
    )
  const token = async (event: E, provider: string, options?: TokenOptions): Promise<TokenResult> =>
    call(event, (of, visitor) => of(provider, { ...options, visitor }))
  const fetch = async (event: E, provider: string, url: string | URL, options?: TokenRequest) =>
    call(event, (of, visitor) => of.fetch(provider, url, { ...options, visitor }))
  return Object.assign(token, { fetch }) as object as Token<E>
}

/**
 * The same function for what users pass instead of the event.
 *
 * @param argumentsFor makes the arguments of the function from those of the other one
 */
export function tokenBy<A>(
  token: Token<never> | Token<object>,
  argumentsFor: (args: readonly unknown[]) => readonly unknown[],
): Token<A> {
  const through =
    (call: unknown) =>
    async (...args: readonly unknown[]): Promise<unknown> =>
      (call as (...all: readonly unknown[]) => unknown)(...argumentsFor(args))
  return Object.assign(through(token), { fetch: through(token.fetch) }) as Token<A>
}

/** What the application does with any user, in or outside of a request. */
export function userFunctions<E extends object>({ authFor, run, stateOf }: Calls<E>): UserFunctions<E> {
  /** @param count of the arguments before the event */
  const on =
    (name: keyof UserFunctions, count: number) =>
    async (...args: readonly unknown[]): Promise<unknown> => {
      const event = args[count] as E | undefined
      try {
        return await run(
          event,
          authFor(event).then(({ server }) => Reflect.apply(server[name], server, args.slice(0, count))),
        )
      } finally {
        // The user may be the one of this request.
        if (event !== undefined) markChanged(stateOf(event))
      }
    }
  const all = { revoke: on("revoke", 2), disable: on("disable", 2), enable: on("enable", 1), export: on("export", 1) }
  return all as object as UserFunctions<E>
}

/**
 * The same functions for what users pass instead of the event.
 *
 * @param eventOf gets `undefined` if they pass nothing
 */
export function userFunctionsBy<A, E>(
  { revoke, disable, enable, export: exportUser }: UserFunctions<E>,
  eventOf: (given: A | undefined) => E | undefined,
): UserFunctions<A> {
  return {
    revoke: (userId, reason, given) => revoke(userId, reason, eventOf(given)),
    disable: (userId, reason, given) => disable(userId, reason, eventOf(given)),
    enable: (userId, given) => enable(userId, eventOf(given)),
    export: (userId, given) => exportUser(userId, eventOf(given)),
  }
}
