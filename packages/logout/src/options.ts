/** What a browser can delete of a site (W3C Clear Site Data). */
export type ClearedData = "cache" | "storage"

export interface LogoutOptions {
  /**
   * Every sign-out also ends the session at the provider, as if its scope were `"federated"`.
   *
   * @default false: only one with that scope does
   */
  readonly always?: boolean
  /**
   * Keep the ID token of each sign-in, encrypted, because providers end a session without a question for the token. Without it, they get the
   * client ID and a hint about the user.
   *
   * @default true
   */
  readonly keepIdTokens?: boolean
  /**
   * Answer `GET <base path>/frontchannel-logout/<provider>`, which a page of the provider opens in a frame.
   *
   * @default false: browsers may block it, and a provider that supports back-channel logout doesn't need it
   */
  readonly frontChannel?: boolean
  /** What a sign-out deletes in the browser, with the header `Clear-Site-Data`. @default `["cache"]` */
  readonly clearSiteData?: readonly ClearedData[]
}

const clearable: ReadonlySet<unknown> = new Set<ClearedData>(["cache", "storage"])

export function problemsOf({ clearSiteData = [] }: LogoutOptions): readonly string[] {
  const unknown = clearSiteData.filter((each) => !clearable.has(each))
  return unknown.length === 0 ? [] : [`\`clearSiteData\` has ${JSON.stringify(unknown[0])}. Use "cache" and "storage"`]
}
