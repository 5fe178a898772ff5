import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"
import { icon } from "../provider-kit/generated/icons/huggingface.js"

/** The claims in an ID token from Hugging Face. */
export interface HuggingfaceProfile extends OpenIdClaims {}

/**
 * Sign in with Hugging Face, using OpenID Connect.
 *
 * 1. Register an application at https://huggingface.co/settings/applications/new with the callback URL
 *    `https://<your site>/auth/callback/huggingface` (`/api/auth/callback/huggingface` with Next.js).
 * 2. Set `AUTH_HUGGINGFACE_ID` and `AUTH_HUGGINGFACE_SECRET`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import Huggingface from "@latchkey/core/providers/huggingface"
 * export const provider = Huggingface()
 * ```
 * @see https://huggingface.co/docs/hub/oauth
 */
const Huggingface: ProviderFactory<HuggingfaceProfile, object, "huggingface"> = defineProvider({
  id: "huggingface",
  name: "Hugging Face",
  type: "oidc",
  issuer: "https://huggingface.co",
  checks: ["state", "pkce"],
  style: { brandColor: "#FFD21E", icon },
})

export default Huggingface
