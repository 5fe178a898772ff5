import { type Finding, ok, problem, skipped, warning } from "./finding.js"
import type { Fetched, Inspection } from "./job.js"

/** Seconds. The engine itself allows for half a minute when it judges ID tokens. */
const noticeable = 30

/**
 * What was seen of a configuration that was run, in the order of a sign-in. `read` is what its text told of the providers:
 * a variable that is missing shows there, and everything where the configuration is refused.
 */
export function inspectedFindings(inspection: Inspection, read: readonly Finding[], offline: boolean): Finding[] {
  const { errors, warnings, providers, store } = inspection
  const besides = errors.filter(({ path }) => path !== "secret" && path !== "url")
  return [
    ...besides.map(({ path, problem: words, fix }) => problem(path, words, fix)),
    ...warnings.filter(({ code }) => code !== "weak-secret").map(({ code, detail }) => warning(code, detail)),
    ...(errors.length === 0 ? [ok("configuration", "no problems")] : []),
    ...together(providers.map(providerFinding), read),
    ...discoveryFindings(inspection, offline),
    ...clockFindings(inspection.fetched),
    ...storeFindings(store),
  ]
}

function together(seen: readonly Finding[], read: readonly Finding[]): Finding[] {
  const worse = seen.map((one) => read.find(({ check, status }) => check === one.check && status === "problem") ?? one)
  const others = read.filter(({ check }) => !seen.some((one) => one.check === check))
  return seen.length === 0 ? [...read] : [...worse, ...others.filter(({ status }) => status === "problem")]
}

function providerFinding({ id, redirectUri, fault }: Inspection["providers"][number]): Finding {
  const check = `provider ${id}`
  if (redirectUri === undefined) return ok(check, "is configured")
  if (fault === undefined) return ok(check, `redirect URI ${redirectUri}`)
  return problem(
    check,
    `a sign-in cannot be started: ${fault}`,
    `Correct that; the redirect URI would be ${redirectUri}`,
  )
}

function discoveryFindings({ fetched, providers }: Inspection, offline: boolean): Finding[] {
  if (offline && providers.some(({ type }) => type === "oidc"))
    return [skipped("discovery", "was not asked for (--offline)")]
  return fetched.map(({ url, status, fault }) => {
    if (fault !== undefined)
      return problem(
        "discovery",
        `${url} cannot be reached: ${fault}`,
        "Check the issuer, and whether this machine may reach it",
      )
    if (status !== 200)
      return problem("discovery", `${url} answers ${status}`, "Check the issuer: its discovery document is below it")
    return ok("discovery", url)
  })
}

function clockFindings(fetched: readonly Fetched[]): Finding[] {
  const [first] = fetched.filter(({ ahead }) => ahead !== undefined)
  return first?.ahead === undefined ? [] : [clockFinding(first.ahead, new URL(first.url).host)]
}

/** @param ahead seconds */
export function clockFinding(ahead: number, host: string): Finding {
  if (Math.abs(ahead) <= noticeable) return ok("clock", `agrees with that of ${host}`)
  const words = `This machine's clock is ${Math.abs(ahead)} s ${ahead > 0 ? "behind" : "ahead of"} that of ${host}`
  return problem("clock", words, "Set it, with NTP for instance: ID tokens are refused when clocks differ")
}

function storeFindings(store: Inspection["store"]): Finding[] {
  if (store === undefined) return []
  if (store.state === "fine") return [ok("store", store.words)]
  if (store.state === "new") return [ok("store", store.words)]
  const isSchema = /no such (?:table|column)|does not exist/i.test(store.words)
  const fix = isSchema
    ? "Tables or columns are missing: @latchkey/sql makes them at the first use, or with `await adapter.migrate()`; other adapters have a schema of their own"
    : "Check the address of the database, its rights, and whether it runs"
  return [isSchema ? warning("store", store.words, fix) : problem("store", `cannot be read: ${store.words}`, fix)]
}
