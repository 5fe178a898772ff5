import { records } from "#mfa-records"
import { defineModule, type Module } from "@latchkey/core/module"
import type { Duration } from "@latchkey/core/types"
import type { Method, MfaOptions } from "./options.js"

export type { AcceptedLevels, Method, MfaOptions, SmsOptions } from "./options.js"

/** Functions for server code, as the member `mfa` of what the initializer returns. */
export interface MfaServer {
  /** Whether a user has a second factor. */
  isEnrolled(userId: string): Promise<boolean>
  /** The methods that a user has set up. */
  methods(userId: string): Promise<readonly Method[]>
  /**
   * Asks for two factors that the user proved a short time ago: the same as `requireSession({ maxAge, level: 2 })` of your framework, for
   * any `Request`. `null`: they did. Otherwise it's the response: a page of your site leads to the page that asks, and back. A request of
   * a script gets 401 with `insufficient_user_authentication` (RFC 9470).
   *
   * @example
   * ```ts
   * import type { MfaServer } from "@latchkey/mfa"
   * declare const mfa: MfaServer
   * export async function GET(request: Request): Promise<Response> {
   *   return (await mfa.require(request, { maxAge: 300 })) ?? new Response("The secret page")
   * }
   * ```
   * @throws UntrustedHost
   */
  require(request: Pick<Request, "headers" | "url">, options?: RequireOptions): Promise<Response | null>
  /**
   * For users who lost everything: removes their second factor after `resetDelay`, when they sign in. Until then they can cancel it, and a
   * sign-in with the factor does, too. Check first who they are. A second call changes nothing. `null`: the user has no second
   * factor.
   *
   * @param request of the administrator. With it, the user gets an email
   */
  startReset(
    user: { readonly id: string; readonly email?: string | null | undefined },
    request?: Pick<Request, "headers">,
  ): Promise<{ readonly readyAt: Date } | null>
  cancelReset(userId: string): Promise<void>
  /**
   * Stores the key of an authenticator app that a user has set up in another system, in Base32. Its codes have six digits, a step of 30
   * seconds, and SHA-1. The user has no recovery codes until they make some on the account page.
   *
   * @returns `false` if there's no such user, or the user has a second factor already
   * @throws TypeError if the key isn't Base32 of at least 80 bits
   */
  importApp(userId: string, key: string): Promise<boolean>
  /** Asks for the second factor in each browser again, for example after a change of the password. */
  forgetDevices(userId: string): Promise<void>
}

export interface RequireOptions {
  /** How long ago that may have been: seconds, or text such as `"5m"`. A proof after the sign-in counts for a day. @default 900 */
  readonly maxAge?: number | Duration
}

/**
 * Second factors: authenticator apps (TOTP), passkeys, codes by email or SMS, recovery codes and trusted devices. Users set them up on the account
 * page, and every sign-in method asks for them.
 *
 * @example
 * ```ts
 * import type { AuthConfig } from "@latchkey/core"
 * import { mfa } from "@latchkey/mfa"
 * import { memoryAdapter } from "@latchkey/adapter-kit"
 * export const config: AuthConfig = { adapter: memoryAdapter(), providers: [], modules: [mfa()] }
 * ```
 */
export function mfa(options: MfaOptions = {}): Module<"mfa", MfaServer> {
  return defineModule<"mfa", MfaServer, typeof records>({
    id: "mfa",
    records,
    stepUp: true,
    members: ["isEnrolled", "methods", "require", "startReset", "cancelReset", "importApp", "forgetDevices"],
    load: async () => (await import("#mfa")).partsOf(options),
  })
}
