import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to NetSuite. */
export interface NetSuiteProfile extends RawProfile {
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
  /** Whether the person is asked again; see NetSuite's documentation. */
  readonly prompt?: string
  /** @default "restlets rest_webservices" */
  readonly scope?: string
}

/**
 * Sign-in with NetSuite, by OAuth 2.
 *
 * Set-up: register an application at NetSuite with the callback URL `https://<your site>/auth/callback/netsuite`
 * (`/api/auth/…` under Next.js), and set `AUTH_NETSUITE_ID` and `AUTH_NETSUITE_SECRET`.
 * Scope: `restlets rest_webservices`. The profile gives the name and the e-mail address, but no picture.
 *
 * - NetSuite has no userinfo endpoint of its own: deploy one, and name its address.
 *
 * @example
 * ```ts
 * import NetSuite from "@latchkey/core/providers/netsuite"
 * export const provider = NetSuite({ accountID: "1234567", userinfo: "https://1234567.restlets.api.netsuite.com/app/site/hosting/restlet.nl?script=1&deploy=1" })
 * ```
 * @see https://docs.oracle.com/en/cloud/saas/netsuite/ns-online-help/section_157771733782.html
 */
const NetSuite: ProviderFactory<NetSuiteProfile, NetSuiteOptions> = defineProvider<NetSuiteProfile, NetSuiteOptions>(
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
