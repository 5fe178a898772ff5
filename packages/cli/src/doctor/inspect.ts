import { type AuthConfig, checkAll } from "@latchkey/core"
import { createServer } from "@latchkey/core/server"
import { reasonOf } from "../failure.js"
import { webUrl } from "../project/web-url.js"
import { aheadOf } from "./clock.js"
import { runConfiguration } from "./configuration.js"
import type { Failed, Fetched, InspectedProvider, Inspection, Job } from "./job.js"
import { recorderFor } from "./recorder.js"
import { passkeysIn } from "./relying-party.js"
import { storeState } from "./store.js"

/** Runs the configuration file and checks the configuration in it. */
export async function inspect(job: Job): Promise<Inspection | Failed> {
  const recorder = await recorderFor(job.root)
  const config = await runConfiguration(job, recorder)
  if (config === undefined) return { kind: "failed", reason: "it created no configuration" }
  const { errors, warnings } = await checkAll(config)
  const fetched: Fetched[] = []
  const providers = await startSignIns(config, job, fetched)
  const types = providers.map(({ type }) => type)
  const store = await storeState(config, types, recorder, job.timeout)
  const passkeys = passkeysIn(config, baseOf(config, job))
  const basePath = config.basePath ?? job.basePath
  const modules = errors.length === 0 ? await moduleFindings(config) : []
  return {
    kind: "inspected",
    errors,
    warnings,
    basePath,
    providers,
    passkeys,
    isStrict: isStrict(config),
    fetched,
    store,
    modules,
  }
}

/** Empty if the modules can't be asked: the reason is a problem of the configuration or the database, which is reported anyway. */
async function moduleFindings(config: AuthConfig): Promise<Inspection["modules"]> {
  try {
    return await createServer(config).moduleFindings()
  } catch {
    return []
  }
}

function isStrict({ security }: AuthConfig): boolean {
  return (typeof security === "object" ? security.mode : security) === "strict"
}

/** Starts a sign-in with each provider, like its button does, and reads the redirect URI that it sends. */
async function startSignIns(config: AuthConfig, job: Job, fetched: Fetched[]): Promise<InspectedProvider[]> {
  const base = baseOf(config, job)
  const quiet = { error: () => undefined, warn: () => undefined, debug: () => undefined }
  const server = createServer({
    ...config,
    url: base,
    rateLimit: false,
    logger: quiet,
    events: {},
    runtime: { fetch: recordingFetch(job, fetched) },
  })
  const found: InspectedProvider[] = []
  for (const { id, name, type } of await listed(server, base)) {
    const visible = { id, name, type }
    if (type !== "oauth" && type !== "oidc") {
      found.push({ ...visible, redirectUri: undefined, fault: undefined })
      continue
    }
    const expected = `${base}/callback/${id}`
    try {
      const visitor = { headers: new Headers(), origin: new URL(base).origin }
      const { to, error } = await server.signIn(visitor, id, { redirectTo: "/" })
      if (error !== undefined) throw error
      const sent = new URL(to).searchParams.get("redirect_uri")
      found.push({ ...visible, redirectUri: sent ?? expected, fault: undefined })
    } catch (error) {
      found.push({ ...visible, redirectUri: expected, fault: job.offline ? undefined : reasonOf(error) })
    }
  }
  return found
}

function baseOf({ url, basePath = "" }: AuthConfig, { origin }: Job): string {
  return (webUrl(url)?.origin ?? origin) + basePath
}

type Server = ReturnType<typeof createServer>

/** The providers. Empty if the engine rejects the configuration, whose problems are reported anyway. */
async function listed(server: Server, base: string): Promise<{ id: string; name: string; type: string }[]> {
  const answer = await server.handle(new Request(`${base}/providers`))
  if (!answer.ok) return []
  // The engine itself wrote this JSON.
  const providers = (await answer.json()) as Record<string, { id: string; name: string; type: string }>
  return Object.values(providers)
}

function recordingFetch(
  { offline, timeout }: Job,
  fetched: Fetched[],
): (input: string | URL | Request, init?: RequestInit) => Promise<Response> {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (offline) throw new Error("--offline allows no requests")
    const shown = url.origin + url.pathname
    try {
      const answer = await fetch(input, { ...init, signal: AbortSignal.timeout(timeout) })
      fetched.push({ url: shown, status: answer.status, ahead: aheadOf(answer), fault: undefined })
      return answer
    } catch (error) {
      fetched.push({ url: shown, status: undefined, ahead: undefined, fault: reasonOf(error) })
      throw error
    }
  }
}
