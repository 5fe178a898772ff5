import type {
  Adapter,
  AuthConfig,
  Awaitable,
  CallbacksOptions,
  JWT,
  Lazily,
  Provider,
  Session,
} from "@latchkey/core/types"
import type { NextRequest } from "next/server.js"

/** What `authorized` is asked. */
export interface AuthorizedParams {
  readonly request: NextRequest
  readonly auth: Session | null
}

/** The callbacks of the engine, and the one that decides over pages. */
export interface NextAuthCallbacks<T extends JWT = JWT, S = Session> extends CallbacksOptions<T, S> {
  /**
   * May this request go on? Asked by `auth` as middleware and around a function. `true` lets it pass, a `Response` is
   * the answer, everything else leads to the sign-in page. @default everybody may
   */
  authorized?(params: AuthorizedParams): Awaitable<boolean | Response | null | undefined>
}

/**
 * The configuration of the engine for Next.js (spec/next.md §1). What is missing is taken from the environment when it
 * is first needed, so that a build needs no secret. Adapter and providers may be given as functions that load them:
 * middleware then does without.
 */
export interface NextAuthConfig<T extends JWT = JWT, S = Session>
  extends Omit<AuthConfig<T, S>, "raw" | "adapter" | "providers" | "callbacks"> {
  readonly providers: readonly Provider[] | Lazily<readonly Provider[]>
  readonly adapter?: Adapter | Lazily<Adapter> | undefined
  readonly callbacks?: NextAuthCallbacks<T, S> | undefined
}

/** The configuration, or a function that finds the one for a request; without a request in pages and actions. */
export type ConfigSource<T extends JWT = JWT, S = Session> =
  | NextAuthConfig<T, S>
  | ((request: NextRequest | undefined) => Awaitable<NextAuthConfig<T, S>>)
