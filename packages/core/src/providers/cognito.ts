import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { FullOpenIdClaims } from "../provider-kit/openid-claims.js"

/** Claims of an ID token of Cognito. */
export interface CognitoProfile extends FullOpenIdClaims {}

/**
 * Sign-in with Cognito, by OpenID Connect.
 *
 * Set-up: register an application at Cognito with the callback URL `https://<your site>/auth/callback/cognito`
 * (`/api/auth/…` under Next.js), and set `AUTH_COGNITO_ID`, `AUTH_COGNITO_SECRET` and `AUTH_COGNITO_ISSUER`.
 * The issuer is the user-pool issuer, such as `https://cognito-idp.<region>.amazonaws.com/<userPoolId>`.
 * Scope: `openid profile email`. The profile is made of the standard claims.
 *
 * - Issuer host (cognito-idp…) differs from the hosted-UI domain that serves the OAuth endpoints; discovery bridges
 *   them.
 * - Scopes are said to need %20 rather than + between them.
 *
 * @example
 * ```ts
 * import Cognito from "@latchkey/core/providers/cognito"
 * export const provider = Cognito({ issuer: "https://cognito-idp.eu.amazonaws.com/eu_AbCdEf" })
 * ```
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-userpools-server-contract-reference.html
 */
const Cognito: ProviderFactory<CognitoProfile> = defineProvider<CognitoProfile>({
  id: "cognito",
  name: "Cognito",
  type: "oidc",
  style: { brandColor: "#C17B9E" },
})

export default Cognito
