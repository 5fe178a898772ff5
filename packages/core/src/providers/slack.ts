import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"
import { icon } from "../provider-kit/generated/icons/slack.js"

/** The claims in an ID token from Slack. */
export interface SlackProfile extends OpenIdClaims {}

/**
 * Sign in with Slack, using OpenID Connect.
 *
 * 1. Register an application at https://api.slack.com/apps with the callback URL
 *    `https://<your site>/auth/callback/slack` (`/api/auth/callback/slack` with Next.js).
 * 2. Set `AUTH_SLACK_ID` and `AUTH_SLACK_SECRET`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * - Slack accepts https callback URLs only.
 * - The raw profile has more claims, such as `https://slack.com/team_id`.
 *
 * @example
 * ```ts
 * import Slack from "@latchkey/core/providers/slack"
 * export const provider = Slack()
 * ```
 * @see https://docs.slack.dev/authentication/sign-in-with-slack/
 */
const Slack: ProviderFactory<SlackProfile, object, "slack"> = defineProvider({
  id: "slack",
  name: "Slack",
  type: "oidc",
  issuer: "https://slack.com",
  checks: ["nonce"],
  style: { brandColor: "#611f69", icon },
})

export default Slack
