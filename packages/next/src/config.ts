import type {
  Adapter,
  AuthConfig,
  Awaitable,
  CallbacksOptions,
  JWT,
  KnownProvider,
  Lazily,
  Module,
  OnlyOptions,
  Provider,
  Session,
} from "@latchkey/core/types"
import type { NextRequest } from "next/server.js"

/** The argument of the `authorized` callback. */
export interface AuthorizedParams {
  readonly request: NextRequest
  /** The session, or `null` if the visitor isn't signed in. */
  readonly auth: Session | null
}

/** The callbacks of `@latchkey/core`, plus `authorized`. */
export interface NextAuthCallbacks<T extends JWT = JWT, S = Session> extends CallbacksOptions<T, S> {
  /**
   * Decides whether a request may continue when `auth` is the proxy or middleware. Return a truthy value such as
   * `auth?.user` to continue, a falsy one to redirect to the sign-in page, or a `Response` to send it instead. If it
   * throws, Next.js shows its error page.
   *
   * It also runs before a function that `auth` wraps, which isn't called if the result is a `Response`. Otherwise, a Route
   * Handler decides itself. So does a proxy or middleware function, unless `security` is `"strict"`.
   *
   * @default every request continues
   */
  authorized?(params: AuthorizedParams): Awaitable<boolean | Response | Session | Session["user"] | null>
}

/** The options that are the same in both forms of the configuration. */
interface CommonConfig<T extends JWT, S>
  extends Omit<AuthConfig<T, S>, "raw" | "adapter" | "providers" | "callbacks" | "modules"> {
  callbacks?: NextAuthCallbacks<T, S> | undefined
}

/**
 * The options of `@latchkey/core` and the `authorized` callback. Options you leave out come from environment variables. They
 * are read on the first request, so `next build` needs no secret.
 */
export interface NextAuthConfig<T extends JWT = JWT, S = Session> extends CommonConfig<T, S> {
  providers: Provider[]
  adapter?: Adapter | undefined
  modules?: readonly Module[] | undefined
}

/**
 * A configuration whose `adapter` and `providers` may be functions that load them on first use, for example to keep them out
 * of the proxy.
 */
export interface LazyNextAuthConfig<
  T extends JWT = JWT,
  S = Session,
  Id extends string = string,
  Mods extends readonly Module[] = readonly Module[],
> extends CommonConfig<T, S> {
  readonly providers: readonly KnownProvider<Id>[] | Lazily<readonly KnownProvider<Id>[]>
  readonly adapter?: Adapter | Lazily<Adapter> | undefined
  readonly modules?: Mods | undefined
}

/**
 * A configuration, or a function that returns one for each request. The function gets the request in `handlers`, in the
 * proxy or middleware, in functions that `auth` wraps, and in the Pages Router. Elsewhere it gets `undefined`.
 */
export type ConfigSource<
  T extends JWT = JWT,
  S = Session,
  Id extends string = string,
  K extends PropertyKey = never,
  Mods extends readonly Module[] = readonly Module[],
> =
  | LazyNextAuthConfig<T, S, Id, Mods>
  | ((request: NextRequest | undefined) => Awaitable<OnlyOptions<LazyNextAuthConfig<T, S, Id>, K>>)

/** Parameters for the provider's authorization endpoint. */
export type AuthorizationParams = string | string[][] | Readonly<Record<string, string>> | URLSearchParams
