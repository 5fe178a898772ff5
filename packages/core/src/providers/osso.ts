import type { ServiceProfile } from "../model/provider.js"
import { type ProviderFactory, defineProvider } from "../provider-kit/define.js"
import { urlBelow } from "../provider-kit/options.js"

/** The profile that Osso returns. */
export interface OssoProfile extends ServiceProfile {
  readonly id?: string
  readonly email?: string
  readonly idp?: string
  readonly requested?: Readonly<Record<string, unknown>>
}

/**
 * Sign in with Osso, using OAuth 2.0.
 *
 * 1. Create an OAuth client in your Osso instance with the redirect URI `https://<your site>/auth/callback/osso`
 *    (`/api/auth/callback/osso` with Next.js).
 * 2. Set `AUTH_OSSO_ID` and `AUTH_OSSO_SECRET`.
 * 3. Set `AUTH_OSSO_ISSUER` to the URL of the instance, for example `https://demo.ossoapp.com/`.
 *
 * Scope: `openid profile email`. The user gets an email and, if Osso sends them, a name and an image.
 *
 * - To choose the SAML connection, pass `domain` or `email` as an authorization parameter.
 *
 * @deprecated Osso is discontinued.
 * @example
 * ```ts
 * import Osso from "@latchkey/core/providers/osso"
 * export const provider = Osso({ issuer: "https://demo.ossoapp.com/" })
 * ```
 * @see https://ossoapp.com/docs/configure/overview
 */
const Osso: ProviderFactory<OssoProfile, object, "osso"> = defineProvider(({ issuer }) => ({
  id: "osso",
  name: "Osso",
  type: "oauth",
  deprecated: "Osso is discontinued. Plan to replace this provider.",
  authorization: urlBelow(issuer, "/oauth/authorize?scope=openid%20profile%20email"),
  token: urlBelow(issuer, "/oauth/token"),
  userinfo: urlBelow(issuer, "/oauth/me"),
}))

export default Osso
