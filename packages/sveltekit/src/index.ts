import {
  createIntegration,
  type Module,
  type ModuleOptions,
  type Revoke,
  type WithMembers,
  withMembers,
} from "@latchkey/core/integration"
import type { JWT, OnlyOptions, Session, SessionUpdate, UserAccount, WithModules } from "@latchkey/core/types"
import type { RequestEvent } from "@sveltejs/kit"
import { building } from "$app/env"
import { readForm, readOptions } from "./form.js"
import { forgetCookies, framework } from "./framework.js"
import { leave, reject, replaceError } from "./leave.js"
import { isOwnAccountPage } from "./own-account-page.js"
import type { RegisteredSession, SvelteKitAuthConfig } from "./types.js"

export { customFetch } from "@latchkey/core"
export { AuthError, CredentialsSignin } from "@latchkey/core/errors"
export type { Revoke, WithMembers } from "@latchkey/core/integration"
export type { Account, DefaultSession, Profile, Session, User, UserAccount } from "@latchkey/core/types"
export type {
  ActionOptions,
  AuthorizationParams,
  Register,
  RegisteredSession,
  SvelteKitAuthConfig,
} from "./types.js"

/** The hook for `src/hooks.server.ts`. It matches the types of SvelteKit 2 and 3. */
export type AuthHandle = (input: {
  event: RequestEvent
  resolve: (event: RequestEvent) => Promise<Response> | Response
}) => Promise<Response>

/** What `SvelteKitAuth` returns. `S` is what the `session` callback returns. */
export interface SvelteKitAuthResult<S = Session> {
  /** Handles the auth routes, and gives every other request `event.locals.auth()`. Export it from `src/hooks.server.ts`. */
  handle: AuthHandle
  /**
   * A form action that signs in. The field `providerId` names the provider, and `authorizationParams-<name>` adds a parameter
   * for its authorization endpoint. All other fields are options, such as `redirectTo` and `email`.
   *
   * @throws AuthError if the sign-in is refused. If you don't catch it, the user gets to the page that explains it
   */
  signIn: (event: RequestEvent) => Promise<never>
  /** A form action that signs out. The field `redirectTo` is the page to go to. */
  signOut: (event: RequestEvent) => Promise<never>
  /** The current session, typed by your configuration. `event.locals.auth()` returns the same. */
  getSession: (event: RequestEvent) => Promise<S | null>
  /** The current session. Without one, a page redirects to the sign-in page, and an API route answers 401. */
  requireSession: (event: RequestEvent) => Promise<S>
  /** Passes `data` to the `jwt` and `session` callbacks as an update, and returns the new session. */
  update: (event: RequestEvent, data: SessionUpdate) => Promise<S | null>
  /**
   * The account of the user who sent the request: their passkeys, linked accounts, sessions and email. A change that another
   * site requests is refused.
   */
  account: (event: RequestEvent) => UserAccount
  /** Ends everything that gives access to the account of a user, such as their sessions: see {@link Revoke}. */
  revoke: Revoke<RequestEvent>
  /**
   * The token for forms of your own pages that post to the auth routes, as the field `csrfToken`. Empty unless `security` is
   * `"strict"`: SvelteKit checks the sender of forms itself.
   */
  csrfToken: (event: RequestEvent) => Promise<string>
}

/**
 * Creates what a SvelteKit application needs to sign users in. Call it in `src/auth.ts`.
 *
 * @example
 * ```ts
 * import { SvelteKitAuth } from "@latchkey/sveltekit"
 * import GitHub from "@latchkey/sveltekit/providers/github"
 *
 * export const { handle, signIn, signOut, requireSession } = SvelteKitAuth({ providers: [GitHub] })
 * ```
 * @param config the configuration, or a function that returns it for a request
 * @param options the modules, if the configuration is a function
 */
export function SvelteKitAuth<
  T extends JWT = JWT,
  S = Session,
  K extends PropertyKey = never,
  const Mods extends readonly Module[] = readonly [],
>(
  config:
    | WithModules<SvelteKitAuthConfig<T, S>, Mods>
    | ((event: RequestEvent) => PromiseLike<OnlyOptions<SvelteKitAuthConfig<T, S>, K>>),
  options: ModuleOptions<Mods> = {},
): WithMembers<SvelteKitAuthResult<Awaited<S>>, Mods> {
  const auth = createIntegration<RequestEvent, T, S>(config, framework, options)

  const getSession = async (event: RequestEvent): Promise<Awaited<S> | null> => (building ? null : auth.session(event))

  function setLocals(event: RequestEvent): void {
    const locals: App.Locals = event.locals
    // Its type is what the application has registered.
    const read = async () => (await getSession(event)) as RegisteredSession | null
    locals.auth = read
    locals.getSession ??= read
    locals.signIn = async (provider, given, authorizationParams) => {
      const { options, params, isRedirect } = readOptions(given, authorizationParams)
      return leave(event, await auth.signIn(event, provider || undefined, options, params), isRedirect)
    }
    locals.signOut = async ({ redirectTo, redirect = true } = {}) =>
      leave(event, await auth.signOut(event, { redirectTo }), redirect)
  }

  const result: SvelteKitAuthResult<Awaited<S>> = {
    async handle({ event, resolve }) {
      setLocals(event)
      // A page that is generated at build time has no user, and a build has no secret.
      if (building) return resolve(event)
      const own = isOwnAccountPage(event) ? undefined : await auth.handle(event)
      if (own !== undefined) return own
      const given = await resolve(event)
      const response = auth.finish(event, given)
      if (response !== given) forgetCookies(event, given)
      return replaceError(event, response)
    },
    async signIn(event) {
      const { provider, options, params } = readForm(await event.request.formData())
      return leave(event, await auth.signIn(event, provider, options, params))
    },
    async signOut(event) {
      const { options } = readForm(await event.request.formData())
      return leave(event, await auth.signOut(event, options))
    },
    getSession,
    async requireSession(event): Promise<Awaited<S>> {
      if (building) throw new Error(`A prerendered page has no session. Remove \`prerender\` from ${event.route.id}.`)
      const access = await auth.requireSession(event)
      return "response" in access ? reject(event, access) : access.session
    },
    update: auth.update,
    account: (event) => auth.account(event),
    revoke: auth.revoke,
    csrfToken: async (event) => (building ? "" : auth.csrfToken(event)),
  }
  return withMembers(result, auth.members())
}
