import { check, withEnv, type AuthConfig } from "@latchkey/core"
import { createServer } from "@latchkey/core/server"
import { loaded } from "@latchkey/core/session-reader"
import { createJiti } from "jiti"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { reasonOf } from "../failure.js"
import { aheadOf } from "./clock.js"
import type { Failed, Fetched, InspectedProvider, Inspection, Job } from "./job.js"
import { type Recorder, recorderFor } from "./recorder.js"
import { passkeysIn } from "./relying-party.js"
import { storeState } from "./store.js"

/** Runs the configuration file and checks the configuration in it. */
export async function inspect(job: Job): Promise<Inspection | Failed> {
  const recorder = await recorderFor(job.root)
  const exported = await run(job, recorder)
  const found = recorder.configurations[0] ?? Object.values(exported).find(isConfiguration)
  const written: unknown = typeof found === "function" ? await found(undefined) : found
  if (!isConfiguration(written)) return { kind: "failed", reason: "it created no configuration" }
  const config = await resolved(written, job)
  const { errors, warnings } = check(config)
  const fetched: Fetched[] = []
  const providers = await startSignIns(config, job, fetched)
  const types = providers.map(({ type }) => type)
  const store = await storeState(config, types, recorder, job.timeout)
  const passkeys = passkeysIn(config, baseOf(config, job))
  const basePath = config.basePath ?? job.basePath
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
  }
}

function isStrict({ security }: AuthConfig): boolean {
  return (typeof security === "object" ? security.mode : security) === "strict"
}

async function run(job: Job, recorder: Recorder): Promise<Readonly<Record<string, unknown>>> {
  const hasPaths = existsSync(join(job.root, "tsconfig.json"))
  try {
    return await runWith(job, recorder, hasPaths)
  } catch (error) {
    // It may extend a file that the framework generates, such as .svelte-kit/tsconfig.json.
    if (!hasPaths || !/tsconfig/i.test(reasonOf(error))) throw error
    return runWith(job, recorder, false)
  }
}

function runWith(
  { root, file }: Job,
  { modules }: Recorder,
  tsconfigPaths: boolean,
): Promise<Readonly<Record<string, unknown>>> {
  const jiti = createJiti(join(root, "package.json"), {
    fsCache: false,
    jsx: true,
    virtualModules: modules,
    tsconfigPaths: tsconfigPaths || undefined,
  } as Parameters<typeof createJiti>[1])
  return jiti.import<Readonly<Record<string, unknown>>>(file)
}

interface Written extends Omit<AuthConfig, "providers" | "adapter"> {
  readonly providers: AuthConfig["providers"] | (() => AuthConfig["providers"])
  readonly adapter?: AuthConfig["adapter"] | (() => NonNullable<AuthConfig["adapter"]>)
}

function isConfiguration(value: unknown): value is Written {
  return typeof value === "object" && value !== null && "providers" in value
}

/** Providers and the adapter may be functions, as docs/nextjs.md describes. */
async function resolved({ providers, adapter, ...rest }: Written, { basePath, mount }: Job): Promise<AuthConfig> {
  const [list, store] = await Promise.all([loaded(providers), adapter === undefined ? undefined : loaded(adapter)])
  const mounted = mount === undefined ? rest : { ...rest, basePath: mount }
  return withEnv({ ...mounted, providers: list, adapter: store }, process.env, { basePath })
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
  return (url !== undefined && URL.canParse(url) ? new URL(url).origin : origin) + basePath
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
