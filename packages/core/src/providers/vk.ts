import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { type Context, fetchJson, valueAt } from "../provider-kit/fetch-json.js"
import { icon } from "../provider-kit/generated/icons/vk.js"

/** The profile that VK returns. */
export interface VKProfile extends ServiceProfile {
  readonly id: number
  readonly first_name: string
  readonly last_name: string
  readonly photo_100: string
  readonly email?: string
}

const users = "https://api.vk.com/method/users.get?fields=photo_100&v=5.131"

/**
 * Sign in with VK, using OAuth 2.0.
 *
 * 1. Register an application with VK, with the authorized redirect URI `https://<your site>/auth/callback/vk`
 *    (`/api/auth/callback/vk` with Next.js).
 * 2. Set `AUTH_VK_ID` and `AUTH_VK_SECRET`.
 *
 * Scope: `email`. The user gets a name, an email and an image.
 *
 * - The user can refuse to share the email.
 * - This provider works with applications made for `oauth.vk.com`. New ones use VK ID, a different protocol.
 *
 * @example
 * ```ts
 * import VK from "@latchkey/core/providers/vk"
 * export const provider = VK()
 * ```
 * @see https://dev.vk.com/en/reference
 */
const VK: ProviderFactory<VKProfile, object, "vk"> = defineProvider({
  id: "vk",
  name: "VK",
  type: "oauth",
  authorization: "https://oauth.vk.com/authorize?scope=email&v=5.131",
  token: "https://oauth.vk.com/access_token?v=5.131",
  userinfo: { url: users, request: readUser },
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: ({ id, first_name, last_name, email, photo_100 }) => ({
    id: String(id),
    name: [first_name, last_name].filter(Boolean).join(" "),
    email: email ?? null,
    image: photo_100,
  }),
  style: { brandColor: "#07F", icon },
})

export default VK

/** VK sends the email with the tokens. */
async function readUser(context: Context): Promise<unknown> {
  const answer = valueAt(await fetchJson(context, users), "response")
  const user: unknown = Array.isArray(answer) ? answer[0] : undefined
  return typeof user === "object" && user !== null ? { ...user, email: context.tokens["email"] ?? null } : undefined
}

export type VkProfile = VKProfile
