import type { RawProfile } from "../model/provider.js"
import { urlBelow } from "../provider-kit/issuer-url.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to BoxyHQ SAML. */
export interface SAMLJacksonProfile extends RawProfile {
  readonly id: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
}

/**
 * Sign-in with BoxyHQ SAML, by OAuth 2.
 *
 * Set-up: register an application at BoxyHQ SAML with the callback URL `https://<your
 * site>/auth/callback/boxyhq-saml` (`/api/auth/…` under Next.js), and set `AUTH_BOXYHQ_SAML_ID`,
 * `AUTH_BOXYHQ_SAML_SECRET` and `AUTH_BOXYHQ_SAML_ISSUER`.
 * The issuer is the Base URL of the SAML Jackson (now Ory Polis) service, such as `https://jackson.example.com`.
 * Scope: `openid profile email`. The profile gives the name and the e-mail address, but no picture.
 *
 * - The tenant and product are sent at sign-in as authorization params, or encoded into client_id
 *   (tenant=…&product=…) with the secret dummy.
 * - The authorization request carries provider=saml.
 * - BoxyHQ SAML Jackson is now Ory Polis; the protocol is unchanged.
 *
 * @example
 * ```ts
 * import SAMLJackson from "@latchkey/core/providers/boxyhq-saml"
 * export const provider = SAMLJackson({ issuer: "https://jackson.example.com" })
 * ```
 * @see https://www.ory.com/docs/polis
 */
const SAMLJackson: ProviderFactory<SAMLJacksonProfile> = defineProvider<SAMLJacksonProfile>(({ issuer }) => ({
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
