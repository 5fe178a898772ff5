import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The profile that NetSuite returns. */
export interface NetSuiteProfile extends ServiceProfile {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly location: number
  readonly role: number
}

export interface NetSuiteOptions {
  /** Required. The account id in the host name, such as `1234567` or `1234567-sb1`. */
  readonly accountID?: string
  /** Required. The URL of a RESTlet or Suitelet that returns `runtime.getCurrentUser()`. */
  readonly userinfo?: string
  /** Whether NetSuite asks the user to sign in or consent again, such as `login` or `none`. */
  readonly prompt?: string
  /** @default "restlets rest_webservices" */
  readonly scope?: string
}

/**
 * Sign in with NetSuite, using OAuth 2.0.
 *
 * 1. Create an integration record in NetSuite with the redirect URI `https://<your site>/auth/callback/netsuite`
 *    (`/api/auth/callback/netsuite` with Next.js).
 * 2. Set `AUTH_NETSUITE_ID` and `AUTH_NETSUITE_SECRET`.
 * 3. Deploy a RESTlet or Suitelet that returns `runtime.getCurrentUser()`, since NetSuite has no userinfo endpoint. Set
 *    `userinfo` to its URL, and `accountID` to your account.
 *
 * Scope: `restlets rest_webservices`. The user gets a name and an email, but no image.
 *
 * @example
 * ```ts
 * import NetSuite from "@latchkey/core/providers/netsuite"
 * export const provider = NetSuite({ accountID: "1234567", userinfo: "https://1234567.restlets.api.netsuite.com/app/site/hosting/restlet.nl?script=1&deploy=1" })
 * ```
 * @see https://docs.oracle.com/en/cloud/saas/netsuite/ns-online-help/section_157771733782.html
 */
const NetSuite: ProviderFactory<NetSuiteProfile, NetSuiteOptions, "netsuite"> = defineProvider(
  ({ accountID = "account", userinfo, prompt, scope = "restlets rest_webservices" }) => ({
    id: "netsuite",
    name: "NetSuite",
    type: "oauth",
    authorization: {
      url: `https://${accountID}.app.netsuite.com/app/login/oauth2/authorize.nl`,
      params: { scope, prompt },
    },
    token: `https://${accountID}.suitetalk.api.netsuite.com/services/rest/auth/oauth2/v1/token`,
    userinfo,
    checks: ["state"],
    profile: ({ id, name, email }) => ({ id: String(id), name, email, image: null }),
    style: { brandColor: "#181a1b" },
  }),
)

export default NetSuite

export type OAuthNetSuiteOptions = NetSuiteOptions
