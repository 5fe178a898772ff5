import type { AuthConfig } from "../../model/config.js"
import type { Warning } from "./problem.js"
import type { ReadProvider } from "../read-providers.js"

/** One line for everything that somebody switched off and production now does without. */
export function* weakenedSettings(providers: readonly ReadProvider[], config: AuthConfig): Generator<Warning> {
  if (config.environment !== "production") return
  const site = {
    trustHost: config.trustHost === true && config.url === undefined,
    skipCSRFCheck: config.skipCSRFCheck !== undefined,
    useSecureCookies: config.useSecureCookies === false,
    debug: config.debug === true,
    rateLimit: config.rateLimit === false,
  }
  const settings = [...switchedOn(site), ...providers.flatMap(({ path, provider }) => providerSettings(path, provider))]
  if (settings.length === 0) return
  const detail = `Production runs with settings that weaken it: ${settings.join(", ")}. See docs/security`
  yield { code: "weakened-settings", detail }
}

function providerSettings(path: string, provider: ReadProvider["provider"]): string[] {
  if (provider.type !== "oauth" && provider.type !== "oidc") return []
  const { allowDangerousEmailAccountLinking, allowInsecureRequests } = provider
  const own = {
    allowDangerousEmailAccountLinking: allowDangerousEmailAccountLinking === true,
    allowInsecureRequests: allowInsecureRequests === true,
  }
  return switchedOn(own).map((name) => `${path}.${name}`)
}

function switchedOn(switches: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(switches).filter((name) => switches[name])
}
