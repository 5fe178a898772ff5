import type * as shared from "@latchkey/core/integration"
import type { MembersOf, Revoke, SessionOf, Token, UserFunctions } from "@latchkey/core/integration"
import type { AuthConfig, JWT, Session, SessionUpdate, UserAccount } from "@latchkey/core/types"

/** The configuration. Missing values, such as the secret, come from environment variables. */
export interface LatchkeyOptions<T extends JWT = JWT, S = unknown> extends Omit<AuthConfig<T, S>, "raw"> {
  /** Fastify's option for the paths of a plugin. It comes before the default base path. */
  readonly prefix?: string
}

/**
 * Declare the type of your configuration here. Sessions then have the type that your `session` callback returns, and `authModules` has your modules.
 *
 * @example
 * ```ts no-check
 * declare module "@latchkey/fastify" {
 *   interface Register {
 *     config: typeof config
 *   }
 * }
 * ```
 */
export interface Register {}

/** The session of your application. See {@link Register}. */
export type AppSession = Register extends { config: infer C } ? SessionOf<C> : Session

/** What the modules of your application add, by their ids. See {@link Register}. */
export type AppMembers = Register extends { config: infer C } ? MembersOf<C> : {}

/** Starts a sign-in, or ends one for credentials, and redirects the user (303). A form of another site is refused. */
export type SignIn = shared.SignIn<never, string, void>

/** Ends the session, and redirects the user (303). A form of another site is refused. */
export type SignOut = shared.SignOut<never, void>

declare module "fastify" {
  interface FastifyRequest {
    /** The current session. Several calls for one request read it once. */
    getSession(): Promise<AppSession | null>
    /** The session, in routes with `preHandler: requireSession`. In other routes, it throws. */
    readonly authSession: AppSession
    /**
     * The account of the user who sent the request: their passkeys, linked accounts, sessions and email. A change that another
     * site requests is refused.
     */
    readonly authAccount: UserAccount
    /** Access tokens of providers, for the user who sent the request: see {@link Token}. */
    readonly authToken: Token
  }
  interface FastifyInstance {
    /** Ends everything that gives access to the account of a user, such as their sessions: see {@link Revoke}. */
    readonly authRevoke: Revoke
    /** Ends the same, and keeps the user out until `authEnable`: `disable` of {@link UserFunctions}. */
    readonly authDisable: UserFunctions["disable"]
    /** Lets a user sign in again whom `authDisable` keeps out: `enable` of {@link UserFunctions}. */
    readonly authEnable: UserFunctions["enable"]
    /** Everything that is stored about a user, without secrets: `export` of {@link UserFunctions}. */
    readonly authExport: UserFunctions["export"]
    /** The functions of modules, by their ids: `app.authModules.totp.isEnrolled(userId)`. */
    readonly authModules: AppMembers
  }
  interface FastifyReply {
    readonly signIn: SignIn
    readonly signOut: SignOut
    /** Passes `data` to your callbacks as an update, and returns the new session. `null`: no user is signed in. */
    update(data: SessionUpdate): Promise<AppSession | null>
    /** The same. @deprecated Use `update`, the name in all packages */
    updateSession(data: SessionUpdate): Promise<AppSession | null>
    /** The token for forms of your own pages that post to the auth routes, as the field `csrfToken`. */
    csrfToken(): Promise<string>
  }
}
