import type { ServiceProfile } from "../model/provider.js"
import { type ProviderFactory, defineProvider } from "../provider-kit/define.js"
import { urlBelow } from "../provider-kit/options.js"

/** The profile that BoxyHQ SAML returns. */
export interface SAMLJacksonProfile extends ServiceProfile {
  readonly id: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
}

/**
 * Sign in with BoxyHQ SAML, using OAuth 2.0.
 *
 * 1. Create a SAML connection in your BoxyHQ SAML Jackson (now Ory Polis) service with the callback URL
 *    `https://<your site>/auth/callback/boxyhq-saml` (`/api/auth/callback/boxyhq-saml` with Next.js).
 * 2. Set `AUTH_BOXYHQ_SAML_ID` and `AUTH_BOXYHQ_SAML_SECRET`.
 * 3. Set `AUTH_BOXYHQ_SAML_ISSUER` to the URL of that service, for example `https://jackson.example.com`.
 *
 * Scope: `openid profile email`. The user gets a name and an email, but no image.
 *
 * - To choose the connection, pass `tenant` and `product` as authorization parameters. Or set the client id to
 *   `tenant=<tenant>&product=<product>` and the client secret to `dummy`.
 *
 * @example
 * ```ts
 * import SAMLJackson from "@latchkey/core/providers/boxyhq-saml"
 * export const provider = SAMLJackson({ issuer: "https://jackson.example.com" })
 * ```
 * @see https://www.ory.com/docs/polis
 */
const SAMLJackson: ProviderFactory<SAMLJacksonProfile, object, "boxyhq-saml"> = defineProvider(({ issuer }) => ({
  id: "boxyhq-saml",
  name: "BoxyHQ SAML",
  type: "oauth",
  authorization: {
    url: urlBelow(issuer, "/api/oauth/authorize"),
    params: { provider: "saml", scope: "openid profile email" },
  },
  token: urlBelow(issuer, "/api/oauth/token"),
  userinfo: urlBelow(issuer, "/api/oauth/userinfo"),
  profile: ({ id, email, firstName, lastName }) => ({
    id,
    email,
    name: [firstName, lastName].filter(Boolean).join(" "),
    image: null,
  }),
  style: { brandColor: "#25c2a0" },
}))

export default SAMLJackson

export type BoxyHQSAMLProfile = SAMLJacksonProfile
