import type { AuthConfig } from "../../model/config.js"
import { checksSender, skipCSRFCheck } from "../../model/symbols.js"
import { isProduction, securityOf } from "../defaults.js"
import type { ReadProvider } from "../read-providers.js"
import { isBehindPlatform } from "../env/env.js"
import type { Warning } from "./problem.js"

/** One warning that lists every setting that makes production less secure. */
export function* weakenedSettings(providers: readonly ReadProvider[], config: AuthConfig): Generator<Warning> {
  if (!isProduction(config)) return
  const site = {
    trustHost: trustsAnyHost(config),
    skipCSRFCheck: config.skipCSRFCheck === skipCSRFCheck && !(checksSender in config),
    useSecureCookies: config.useSecureCookies === false,
    debug: config.debug === true,
    rateLimit: config.rateLimit === false,
  }
  const settings = [...namesOf(site), ...providers.flatMap(({ path, provider }) => providerSettings(path, provider))]
  if (settings.length === 0) return
  const detail = `These settings make production less secure: ${settings.join(", ")}. See docs/security`
  yield { code: "weakened-settings", detail }
}

/** With `listedOriginsOnly`, it's refused instead. */
function trustsAnyHost(config: AuthConfig): boolean {
  if (config.trustHost !== true || config.url !== undefined) return false
  return !isBehindPlatform(config) && !securityOf(config).listedOriginsOnly
}

function providerSettings(path: string, provider: ReadProvider["provider"]): string[] {
  if (provider.type !== "oauth" && provider.type !== "oidc") return []
  const { allowDangerousEmailAccountLinking, allowInsecureRequests } = provider
  const own = {
    allowDangerousEmailAccountLinking: allowDangerousEmailAccountLinking === true,
    allowInsecureRequests: allowInsecureRequests === true,
  }
  return namesOf(own).map((name) => `${path}.${name}`)
}

function namesOf(settings: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(settings).filter((name) => settings[name])
}
