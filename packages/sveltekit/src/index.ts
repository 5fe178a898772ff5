import {
  atBuild,
  createIntegration,
  type EventFunctions,
  eventFunctions,
  type Module,
  type ModuleOptions,
  type WithMembers,
  withMembers,
} from "@latchkey/core/integration"
import type { JWT, OnlyOptions, Session, StepUp, WithModules } from "@latchkey/core/types"
import type { RequestEvent } from "@sveltejs/kit"
import { building } from "$app/env"
import { readForm, readOptions } from "./form.js"
import { forgetCookies, framework } from "./framework.js"
import { leave, reject, replaceError } from "./leave.js"
import { isOwnAccountPage } from "./own-account-page.js"
import type { RegisteredSession, SvelteKitAuthConfig } from "./types.js"

export { customFetch } from "@latchkey/core"
export { AuthError, CredentialsSignin } from "@latchkey/core/errors"
export type { Revoke, Token, UserExport, UserFunctions, WithMembers } from "@latchkey/core/integration"
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
export interface SvelteKitAuthResult<S = Session> extends Omit<EventFunctions<RequestEvent, S>, "signIn" | "signOut"> {
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
  /**
   * The current session. Without one, a page redirects to the sign-in page, and an API route answers 401. With `asked`, a user whose
   * sign-in isn't recent or strong enough is asked again.
   */
  requireSession: (event: RequestEvent, asked?: StepUp) => Promise<S>
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
  const auth = atBuild(createIntegration<RequestEvent, T, S>(config, framework, options), {
    ...framework,
    isBuild: () => building,
    advice: ({ route }) => `Remove \`prerender\` from ${route.id}.`,
  })

  function setLocals(event: RequestEvent): void {
    const locals: App.Locals = event.locals
    // Its type is what the application has registered.
    const read = async () => (await auth.session(event)) as RegisteredSession | null
    locals.auth = read
    locals.getSession ??= read
    locals.signIn = async (provider, given, authorizationParams) => {
      const { options, isRedirect } = readOptions(given)
      return leave(event, await auth.signIn(event, provider, options, authorizationParams), isRedirect)
    }
    locals.signOut = async ({ redirect = true, ...options } = {}) =>
      leave(event, await auth.signOut(event, options), redirect)
  }

  const result: SvelteKitAuthResult<Awaited<S>> = {
    ...eventFunctions(auth),
    async handle({ event, resolve }) {
      setLocals(event)
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
    async requireSession(event, asked): Promise<Awaited<S>> {
      const access = await auth.requireSession(event, asked)
      return "response" in access ? reject(event, access) : access.session
    },
  }
  return withMembers(result, auth.members())
}
