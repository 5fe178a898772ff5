import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/discord.js"

/** The profile that Discord returns. */
export interface DiscordProfile extends ServiceProfile {
  readonly id: string
  readonly username: string
  readonly discriminator: string
  readonly global_name: string | null
  readonly avatar: string | null
  readonly bot?: boolean
  readonly system?: boolean
  readonly mfa_enabled: boolean
  readonly banner: string | null
  readonly accent_color: number | null
  readonly locale: string
  readonly verified: boolean
  readonly email: string | null
  readonly flags: number
  readonly premium_type: number
  readonly public_flags: number
}

/**
 * Sign in with Discord, using OAuth 2.0.
 *
 * 1. Register an application at https://discord.com/developers/applications with the callback URL
 *    `https://<your site>/auth/callback/discord` (`/api/auth/callback/discord` with Next.js).
 * 2. Set `AUTH_DISCORD_ID` and `AUTH_DISCORD_SECRET`.
 *
 * Scope: `identify email`. The user gets a name, an email and an image.
 *
 * - Animated images are GIFs. A user without an image gets one of Discord's default images.
 *
 * @example
 * ```ts
 * import Discord from "@latchkey/core/providers/discord"
 * export const provider = Discord()
 * ```
 * @see https://discord.com/developers/docs/topics/oauth2
 */
const Discord: ProviderFactory<DiscordProfile, object, "discord"> = defineProvider({
  id: "discord",
  name: "Discord",
  type: "oauth",
  authorization: { url: "https://discord.com/api/oauth2/authorize", params: { scope: "identify email" } },
  token: "https://discord.com/api/oauth2/token",
  userinfo: "https://discord.com/api/users/@me",
  profile: ({ id, global_name, username, email, avatar, discriminator }) => ({
    id,
    name: global_name ?? username,
    email,
    image: avatar === null ? defaultAvatar(id, discriminator) : avatarUrl(id, avatar),
  }),
  style: { brandColor: "#5865F2", icon },
})

export default Discord

function avatarUrl(id: string, avatar: string): string {
  return `https://cdn.discordapp.com/avatars/${id}/${avatar}.${avatar.startsWith("a_") ? "gif" : "png"}`
}

/**
 * Six images for current usernames, five for the old ones with a discriminator.
 *
 * @see https://discord.com/developers/docs/reference#image-formatting
 */
function defaultAvatar(id: string, discriminator: string): string {
  const number = discriminator === "0" ? Number((BigInt(id) >> 22n) % 6n) : Number(discriminator) % 5
  return `https://cdn.discordapp.com/embed/avatars/${number}.png`
}
