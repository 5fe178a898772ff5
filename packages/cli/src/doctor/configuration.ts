import { type AuthConfig, withEnv } from "@latchkey/core"
import { loaded } from "@latchkey/core/session-reader"
import { createJiti } from "jiti"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { reasonOf } from "../failure.js"
import type { Recorder } from "./recorder.js"
import { registerVirtualModules } from "./virtual-modules.js"

/** A configuration file to run. */
export interface ConfigurationJob {
  /** The root of the application. */
  readonly root: string
  /** The absolute path of the configuration file. */
  readonly file: string
  /** The base path to use if the configuration sets none. */
  readonly basePath: string
  /** The path that takes precedence over the configuration, as the mount path does in Express. */
  readonly mount: string | undefined
}

/** Runs the configuration file. Undefined if it created no configuration. */
export async function runConfiguration(job: ConfigurationJob, recorder: Recorder): Promise<AuthConfig | undefined> {
  registerVirtualModules(job.root, recorder.modules)
  const exported = await run(job, recorder)
  const found = recorder.configurations[0] ?? Object.values(exported).find(isConfiguration)
  const written: unknown = typeof found === "function" ? await found(undefined) : found
  return isConfiguration(written) ? resolved(written, job) : undefined
}

async function run(job: ConfigurationJob, recorder: Recorder): Promise<Readonly<Record<string, unknown>>> {
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
  { root, file }: ConfigurationJob,
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

/** Providers and the adapter may be functions, as docs/nextjs-server.md describes. */
async function resolved(
  { providers, adapter, ...rest }: Written,
  { basePath, mount }: ConfigurationJob,
): Promise<AuthConfig> {
  const [list, store] = await Promise.all([loaded(providers), adapter === undefined ? undefined : loaded(adapter)])
  const mounted = mount === undefined ? rest : { ...rest, basePath: mount }
  return withEnv({ ...mounted, providers: list, adapter: store }, process.env, { basePath })
}
