import type { ServiceProfile } from "../model/provider.js"
import { type ProviderFactory, defineProvider } from "../provider-kit/define.js"
import { fetchJson, urlComponent, valueAt } from "../provider-kit/fetch-json.js"
import { icon } from "../provider-kit/generated/icons/nextcloud.js"
import { urlBelow } from "../provider-kit/options.js"

/** The profile that Nextcloud returns. */
export interface NextcloudProfile extends ServiceProfile {
  readonly id: string
  readonly displayname: string
  readonly email: string
}

/**
 * Sign in with Nextcloud, using OAuth 2.0.
 *
 * 1. Add an OAuth 2.0 client in the security settings of your Nextcloud server with the redirection URI
 *    `https://<your site>/auth/callback/nextcloud` (`/api/auth/callback/nextcloud` with Next.js).
 * 2. Set `AUTH_NEXTCLOUD_ID` and `AUTH_NEXTCLOUD_SECRET`.
 * 3. Set `AUTH_NEXTCLOUD_ISSUER` to the URL of the server, for example `https://cloud.example.com`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import Nextcloud from "@latchkey/core/providers/nextcloud"
 * export const provider = Nextcloud({ issuer: "https://cloud.example.com" })
 * ```
 * @see https://docs.nextcloud.com/server/latest/admin_manual/configuration_server/oauth2.html
 */
const Nextcloud: ProviderFactory<NextcloudProfile, object, "nextcloud"> = defineProvider(({ issuer }) => ({
  id: "nextcloud",
  name: "Nextcloud",
  type: "oauth",
  authorization: urlBelow(issuer, "/apps/oauth2/authorize?scope=openid%20profile%20email"),
  token: urlBelow(issuer, "/apps/oauth2/api/v1/token"),
  userinfo: {
    url: urlBelow(issuer, "/ocs/v1.php/cloud/users"),
    request: async (context) =>
      valueAt(
        await fetchJson(context, `${context.provider.userinfo.url}/${urlComponent(context.tokens["user_id"])}`, {
          headers: { "ocs-apirequest": "true" },
        }),
        "ocs",
        "data",
      ),
  },
  profile: ({ id, displayname, email }) => ({
    id,
    name: displayname,
    email,
    image: urlBelow(issuer, `/avatar/${id}/512`) ?? null,
  }),
  style: { brandColor: "#0082C9", icon },
}))

export default Nextcloud
