import { type Finding, ok, problem, skipped, warning } from "./finding.js"
import type { Fetched, Inspection } from "./job.js"

/** Seconds. The engine tolerates this difference in ID tokens. */
const tolerance = 30

/**
 * The findings about a configuration that was run, in the order of a sign-in. `read` has the findings from its source: they
 * name missing variables, and they are all there is if the engine rejects the configuration.
 */
export function inspectedFindings(inspection: Inspection, read: readonly Finding[], offline: boolean): Finding[] {
  const { errors, warnings, providers, store, modules } = inspection
  const others = errors.filter(({ path }) => path !== "secret" && path !== "url")
  return [
    ...others.map(({ path, problem: words, fix }) => problem(path, words, fix)),
    ...warnings.filter(({ code }) => code !== "weak-secret").map(({ code, detail }) => warning(code, detail)),
    ...(errors.length === 0 ? [ok("configuration", "no problems")] : []),
    ...merged(providers.map(providerFinding), read),
    ...discoveryFindings(inspection, offline),
    ...clockFindings(inspection.fetched),
    ...storeFindings(store),
    ...modules.map(({ module, finding }) => warning(`module ${module}`, finding)),
  ]
}

function merged(seen: readonly Finding[], read: readonly Finding[]): Finding[] {
  const worse = seen.map((one) => read.find(({ check, status }) => check === one.check && status === "problem") ?? one)
  const others = read.filter(({ check }) => !seen.some((one) => one.check === check))
  return seen.length === 0 ? [...read] : [...worse, ...others.filter(({ status }) => status === "problem")]
}

function providerFinding({ id, redirectUri, fault }: Inspection["providers"][number]): Finding {
  const check = `provider ${id}`
  if (redirectUri === undefined) return ok(check, "configured")
  if (fault === undefined) return ok(check, `redirect URI ${redirectUri}`)
  return problem(check, `a sign-in can't start: ${fault}`, `Fix this. The redirect URI will be ${redirectUri}`)
}

function discoveryFindings({ fetched, providers }: Inspection, offline: boolean): Finding[] {
  if (offline && providers.some(({ type }) => type === "oidc"))
    return [skipped("discovery", "not requested (--offline)")]
  return fetched.map(({ url, status, fault }) => {
    if (fault !== undefined)
      return problem(
        "discovery",
        `${url} can't be reached: ${fault}`,
        "Check the issuer and the network of this machine",
      )
    if (status !== 200)
      return problem(
        "discovery",
        `${url} responds with ${status}`,
        "Check the issuer, which must have its discovery document at this URL",
      )
    return ok("discovery", url)
  })
}

function clockFindings(fetched: readonly Fetched[]): Finding[] {
  const [first] = fetched.filter(({ ahead }) => ahead !== undefined)
  return first?.ahead === undefined ? [] : [clockFinding(first.ahead, new URL(first.url).host)]
}

/** @param ahead seconds */
export function clockFinding(ahead: number, host: string): Finding {
  if (Math.abs(ahead) <= tolerance) return ok("clock", `same time as ${host}`)
  const words = `This machine's clock is ${Math.abs(ahead)} s ${ahead > 0 ? "behind" : "ahead of"} ${host}`
  return problem("clock", words, "Set the clock, for example with NTP. ID tokens are rejected if clocks differ.")
}

function storeFindings(store: Inspection["store"]): Finding[] {
  if (store === undefined) return []
  if (store.state === "fine") return [ok("database", store.words)]
  if (store.state === "new") return [ok("database", store.words)]
  if (store.state === "unused") return [skipped("database", store.words)]
  const isSchema = /no such (?:table|column)|does not exist|has no table/i.test(store.words)
  const fix = isSchema
    ? "Tables or columns are missing. @latchkey/sql creates them on first use, or with `await adapter.migrate()`. Other adapters document their schema."
    : "Check that the database runs, its URL, and its permissions"
  return [isSchema ? warning("database", store.words, fix) : problem("database", `can't be read: ${store.words}`, fix)]
}
