import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"
import { icon } from "../provider-kit/generated/icons/cognito.js"

/** The claims in an ID token from Cognito. */
export interface CognitoProfile extends OpenIdClaims {}

/**
 * Sign in with Cognito, using OpenID Connect.
 *
 * 1. Create an app client in your Amazon Cognito user pool with the callback URL
 *    `https://<your site>/auth/callback/cognito` (`/api/auth/callback/cognito` with Next.js).
 * 2. Set `AUTH_COGNITO_ID` and `AUTH_COGNITO_SECRET`.
 * 3. Set `AUTH_COGNITO_ISSUER` to the issuer of the user pool, for example
 *    `https://cognito-idp.<region>.amazonaws.com/<userPoolId>`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * - The issuer isn't the domain of the sign-in page.
 *
 * @example
 * ```ts
 * import Cognito from "@latchkey/core/providers/cognito"
 * export const provider = Cognito({ issuer: "https://cognito-idp.eu.amazonaws.com/eu_AbCdEf" })
 * ```
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-userpools-server-contract-reference.html
 */
const Cognito: ProviderFactory<CognitoProfile, object, "cognito"> = defineProvider({
  id: "cognito",
  name: "Cognito",
  type: "oidc",
  style: { brandColor: "#C17B9E", icon },
})

export default Cognito
