import type { AuthConfig } from "../model/config.js"
import type { Cookie } from "../model/cookie.js"
import type { Version4, Version4Options } from "../model/version4.js"
import { cookieTable } from "../config/defaults.js"
import { merge } from "../config/merge.js"
import { securityMode } from "../config/presets.js"

/** The cookies of next-auth 4, or `undefined` if its sessions aren't accepted. */
export function version4Of(config: AuthConfig, secure: boolean): Version4 | undefined {
  const options = version4Options(config)
  if (options === undefined) return undefined
  const { sessionToken: own, callbackUrl, csrfToken } = cookieTable(config, secure)
  const sessionToken = version4Cookie(config, options, secure)
  const callbackUrlName = `${secure ? "__Secure-" : ""}next-auth.callback-url`
  const csrfTokenName = `${secure ? "__Host-" : ""}next-auth.csrf-token`
  return {
    sessionToken,
    toClear: sessionToken.name === own.name ? [] : formsOf(sessionToken),
    sameFormat: [
      { key: "callbackUrl", cookie: { ...callbackUrl, name: callbackUrlName } },
      { key: "csrfToken", cookie: { ...csrfToken, name: csrfTokenName } },
    ],
    secrets: secretsOf(config),
    sharesName: config.cookies?.sessionToken?.name !== undefined,
    isShared: options.share === true && securityMode(config) !== "strict",
    until: endOf(options),
  }
}

/** When version 4 ends, in milliseconds since 1970. `NaN` for a date that isn't valid. */
export function endOf({ acceptUntil }: Version4Options): number {
  return acceptUntil === undefined ? Number.POSITIVE_INFINITY : new Date(acceptUntil).getTime()
}

function secretsOf({ secret, jwt }: AuthConfig): readonly string[] {
  return [jwt?.secret ?? secret ?? []].flat()
}

function version4Options(config: AuthConfig): Version4Options | undefined {
  const options = config.session?.version4 ?? (config.compat === false ? false : {})
  if (options === false) return undefined
  return securityMode(config) === "strict" && options.acceptUntil === undefined ? undefined : options
}

/** Version 4 had the attributes that the configuration still has, unless `version4.cookie` says otherwise. */
function version4Cookie(config: AuthConfig, { cookie, share }: Version4Options, secure: boolean): Cookie {
  const own = cookieTable(config, secure).sessionToken
  const kept = share === true ? config.cookies?.sessionToken?.name : undefined
  const name = cookie?.name ?? kept ?? `${secure ? "__Secure-" : ""}next-auth.session-token`
  return Object.freeze({ name, options: Object.freeze(merge(own.options, cookie?.options)) })
}

/** A domain may have been added after the cookie was set, so the cookie without one is removed too. */
function formsOf(cookie: Cookie): readonly Cookie[] {
  const { domain, ...hostOnly } = cookie.options
  return domain === undefined ? [cookie] : [{ name: cookie.name, options: hostOnly }, cookie]
}
