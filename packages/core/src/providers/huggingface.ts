import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"

/** Claims of an ID token of Hugging Face. */
export interface HuggingfaceProfile extends OpenIdClaims {}

/**
 * Sign-in with Hugging Face, by OpenID Connect.
 *
 * Set-up: register an application at Hugging Face with the callback URL `https://<your
 * site>/auth/callback/huggingface` (`/api/auth/…` under Next.js), and set `AUTH_HUGGINGFACE_ID` and
 * `AUTH_HUGGINGFACE_SECRET`.
 * Scope: `openid profile email`. The profile is made of the standard claims.
 *
 * @example
 * ```ts
 * import Huggingface from "@latchkey/core/providers/huggingface"
 * export const provider = Huggingface()
 * ```
 * @see https://huggingface.co/docs/hub/oauth
 */
const Huggingface: ProviderFactory<HuggingfaceProfile> = defineProvider<HuggingfaceProfile>({
  id: "huggingface",
  name: "Hugging Face",
  type: "oidc",
  issuer: "https://huggingface.co",
  checks: ["state", "pkce"],
  style: { brandColor: "#FFD21E" },
})

export default Huggingface
