import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "./define.js"

/** Claims of an ID token of Google (https://developers.google.com/identity/openid-connect/openid-connect). */
export interface GoogleProfile extends RawProfile {
  readonly sub: string
  readonly name?: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly picture?: string
  /** Domain of the organisation that the account belongs to. */
  readonly hd?: string
}

/**
 * Google accounts. `AUTH_GOOGLE_ID` and `AUTH_GOOGLE_SECRET` name the client. A refresh token comes with
 * `authorization: { params: { access_type: "offline", prompt: "consent" } }`.
 */
const Google: ProviderFactory<GoogleProfile> = defineProvider<GoogleProfile>({
  id: "google",
  name: "Google",
  type: "oidc",
  issuer: "https://accounts.google.com",
  style: { brandColor: "#1a73e8" },
})

export default Google
