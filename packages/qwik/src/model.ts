// The types of the Qwik that the application has: `#router` in package.json leads to version 2 if it's installed.
import type { StepUp } from "@latchkey/core/types"
import type { QRL } from "#core"
import type { Action, Loader, RequestEventCommon } from "#router"
import type { Members, Token, UserExport } from "@latchkey/core/integration"
import type {
  AuthConfig,
  Awaitable,
  JWT,
  Module,
  OnlyOptions,
  Provider,
  Session,
  SessionUpdate,
  SignOutScope,
  UserAccount,
  WithModules,
} from "@latchkey/core/types"

export type { RequestEventCommon }

/** The configuration. Missing values, such as the secret, come from environment variables. */
export interface QwikAuthConfig<T extends JWT = JWT, S = Session> extends Omit<AuthConfig<T, S>, "raw" | "providers"> {
  providers: Provider[]
}

/** Returns the configuration for a request. */
export type ConfigFunction<
  T extends JWT = JWT,
  S = Session,
  K extends PropertyKey = never,
  Mods = QwikAuthConfig["modules"],
> = (ev: RequestEventCommon) => Awaitable<OnlyOptions<WithModules<QwikAuthConfig<T, S>, Mods>, K>>

/** A {@link ConfigFunction} that the optimizer has moved into a module of its own. */
export type ConfigQrl<T extends JWT = JWT, S = Session> = QRL<ConfigFunction<T, S>>

/** A session, and the `Set-Cookie` header that renews it. */
export type GetSessionResult<S = Session> = Promise<{
  data: S | null
  /** Any type, as in `@auth/qwik`. */
  cookie: ReturnType<typeof JSON.parse>
}>

/** Reads environment variables. `env` of a request event is one. */
export interface EnvGetter {
  get(name: string): string | undefined
}

/** What a form or `submit()` sends to `useSignIn()`. */
export interface SignInInput {
  /** The provider's id. @default the sign-in page asks for the provider */
  providerId?: string | undefined
  /** Where the user goes afterwards. @default the current page */
  redirectTo?: string | undefined
  /** Fields of the provider's form, such as `email`. Here, `redirectTo` comes before the other one. */
  options?: ({ redirectTo?: string | undefined } & Record<string, unknown>) | undefined
  /** Parameters for the provider's authorization endpoint, such as `prompt`. */
  authorizationParams?: string | URLSearchParams | Record<string, string> | undefined
}

/** What a form or `submit()` sends to `useSignOut()`. */
export interface SignOutInput {
  /** Where the user goes afterwards. @default the current page */
  redirectTo?: string | undefined
  /** Which sessions end: that of this browser, the others, or all. @default "this" */
  scope?: SignOutScope | undefined
}

/** The value of an action: `failed` if the input was invalid. Otherwise, the browser is redirected. */
export type ActionResult<Input> =
  | { failed?: undefined; fieldErrors?: undefined; formErrors?: undefined }
  | { failed: true; fieldErrors: { [K in keyof Input]?: string[] | undefined }; formErrors: string[] }

/** What `QwikAuth$` returns. Export all of it from `src/routes/plugin@auth.ts`. */
export interface QwikAuth<S = Session, Mods extends readonly Module[] = readonly []> {
  /** Handles the auth routes, and puts the session into `sharedMap` under `session`. */
  onRequest: (ev: RequestEventCommon) => Promise<void>
  /**
   * Passes `data` to the callbacks as an update, in a `routeAction$` or an endpoint, and returns the new session.
   *
   * @throws AuthError if a callback or the database fails, or another site sent the request
   */
  update: (ev: RequestEventCommon, data: SessionUpdate) => Promise<S | null>
  /**
   * The account of the user who sent the request: their passkeys, linked accounts, sessions and email. A change that another
   * site requests is refused.
   *
   * @example `const sessions = await (await account(ev)).sessions()` in a `routeLoader$`
   */
  account: (ev: RequestEventCommon) => Promise<UserAccount>
  /**
   * Ends everything that gives access to the account of a user: their sessions, open email links and email changes, and what
   * modules have issued. The user can sign in again. Call it in a `routeAction$` or an endpoint.
   *
   * @param reason for the security event and the modules, such as `"stolen laptop"`
   * @throws RevokeError if something may still work. Everything else has ended
   */
  revoke: (ev: RequestEventCommon, userId: string, reason?: string) => Promise<void>
  /**
   * Ends what `revoke` ends, and refuses every sign-in of the user and what modules accept from them, until `enable`.
   *
   * @throws InvalidConfig without records
   * @throws RevokeError if something may still work. Everything else has ended, and the user is disabled
   */
  disable: (ev: RequestEventCommon, userId: string, reason?: string) => Promise<void>
  /** Lets a user sign in again whom `disable` keeps out. What it ended stays ended. @throws InvalidConfig without records */
  enable: (ev: RequestEventCommon, userId: string) => Promise<void>
  /** Everything that is stored about a user, by the adapter, by Latchkey and by the modules, as JSON without secrets. */
  export: (ev: RequestEventCommon, userId: string) => Promise<UserExport>
  /**
   * Access tokens of providers, for the user who sent the request: see {@link Token}.
   *
   * @example `const google = await token(ev, "google")` in a `routeLoader$`
   */
  token: Token<RequestEventCommon>
  /**
   * The functions of the modules that the configuration has for this request, by their ids.
   *
   * @example `const { totp } = await modules(ev)` in a `routeLoader$`
   */
  modules: (ev: RequestEventCommon) => Promise<Members<Mods>>
  /** The session, or `null`, in `onRequest`, a loader or an endpoint. Several calls for one request read it once. */
  getSession: (ev: RequestEventCommon) => Promise<S | null>
  /**
   * The session in `onRequest`, a loader or an endpoint. A page redirects to the sign-in page, and an API responds with 401. With
   * `asked`, a user whose sign-in isn't recent or strong enough is asked again.
   */
  requireSession: (ev: RequestEventCommon, asked?: StepUp) => Promise<S>
  /**
   * The token for forms of your own pages that post to the auth routes, as the field `csrfToken`. Call it in a loader. Empty
   * unless `security` is `"strict"`: the sender of each form is checked.
   */
  csrfToken: (ev: RequestEventCommon) => Promise<string>
  /** The session, or `null` if no user is signed in. */
  useSession: Loader<S | null>
  useSignIn: Action<ActionResult<SignInInput>, SignInInput, false>
  useSignOut: Action<ActionResult<SignOutInput>, SignOutInput, false>
}
