import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"

/** Claims of an ID token of Slack. */
export interface SlackProfile extends OpenIdClaims {}

/**
 * Sign-in with Slack, by OpenID Connect.
 *
 * Set-up: register an application at Slack with the callback URL `https://<your site>/auth/callback/slack`
 * (`/api/auth/…` under Next.js), and set `AUTH_SLACK_ID` and `AUTH_SLACK_SECRET`.
 * Scope: `openid profile email`. The profile is made of the standard claims.
 *
 * - Callback URLs must be HTTPS.
 * - Further claims have names such as `https://slack.com/team_id`.
 *
 * @example
 * ```ts
 * import Slack from "@latchkey/core/providers/slack"
 * export const provider = Slack()
 * ```
 * @see https://docs.slack.dev/authentication/sign-in-with-slack/
 */
const Slack: ProviderFactory<SlackProfile> = defineProvider<SlackProfile>({
  id: "slack",
  name: "Slack",
  type: "oidc",
  issuer: "https://slack.com",
  checks: ["nonce"],
  style: { brandColor: "#611f69" },
})

export default Slack
