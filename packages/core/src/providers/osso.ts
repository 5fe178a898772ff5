import type { RawProfile } from "../model/provider.js"
import { urlBelow } from "../provider-kit/issuer-url.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Osso. */
export interface OssoProfile extends RawProfile {
  readonly id?: string
  readonly email?: string
  readonly idp?: string
  readonly requested?: Readonly<Record<string, unknown>>
}

/**
 * Sign-in with Osso, by OAuth 2.
 *
 * Set-up: register an application at Osso with the callback URL `https://<your site>/auth/callback/osso`
 * (`/api/auth/…` under Next.js), and set `AUTH_OSSO_ID`, `AUTH_OSSO_SECRET` and `AUTH_OSSO_ISSUER`.
 * The issuer is the base URL of the Osso instance; must end with a slash because paths are appended directly., such
 * as `https://demo.ossoapp.com/`.
 * Scope: `openid profile email`. The profile is made of the standard claims.
 *
 * - issuer must end with a slash.
 * - domain or email is passed as an extra authorization parameter to pick the SAML connection.
 *
 * @deprecated The Osso project and its hosted service are discontinued.
 * @example
 * ```ts
 * import Osso from "@latchkey/core/providers/osso"
 * export const provider = Osso({ issuer: "https://demo.ossoapp.com/" })
 * ```
 * @see https://ossoapp.com/docs/configure/overview
 */
const Osso: ProviderFactory<OssoProfile> = defineProvider<OssoProfile>(({ issuer }) => ({
  id: "osso",
  name: "Osso",
  type: "oauth",
  deprecated: "Osso is discontinued",
  authorization: { url: urlBelow(issuer, "/oauth/authorize"), params: { scope: "openid profile email" } },
  token: urlBelow(issuer, "/oauth/token"),
  userinfo: urlBelow(issuer, "/oauth/me"),
}))

export default Osso
