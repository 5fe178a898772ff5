import { join } from "node:path"
import {
  type Environment,
  environmentFindings,
  environmentOf,
  secretFindings,
  urlFindings,
  urlWarnings,
} from "../doctor/environment.js"
import { withoutSecrets } from "../doctor/conceal.js"
import { type Finding, problem, skipped } from "../doctor/finding.js"
import { formFindings } from "../doctor/forms.js"
import { inspectedFindings } from "../doctor/inspected.js"
import type { Failed, Inspection } from "../doctor/job.js"
import { load } from "../doctor/load.js"
import { packageFindings, isForeign } from "../doctor/packages.js"
import { libraryFinding, siteFindings as passkeySites } from "../doctor/passkeys.js"
import { hasPasskeys, listens, readingFindings, setsSecret, sourceFindings } from "../doctor/reading.js"
import { routeFindings } from "../doctor/routes.js"
import { runnable } from "../doctor/runnable.js"
import { siteFindings } from "../doctor/site.js"
import { typescriptFindings } from "../doctor/typescript.js"
import { Failure, wrongUsage } from "../failure.js"
import type { Context, Outcome } from "../outcome.js"
import { baseUrlsOf, writtenBasePath } from "../project/base-urls.js"
import { type ConfigurationFile, configurationFiles, findConfiguration } from "../project/find-configuration.js"
import { type Mount, mountOf } from "../project/mount.js"
import { counted } from "../terminal.js"
import { webUrl } from "../project/web-url.js"
import { findProject, type Project, rootAbove } from "../project/project.js"
import type { Configuration } from "../source/configurations.js"

export interface DoctorOptions {
  readonly config?: string
  readonly load: boolean
  readonly offline?: boolean
  readonly production?: boolean
  /** Seconds. */
  readonly timeout: string
}

/** `latchkey doctor` */
export async function doctor(context: Context, url: string | undefined, options: DoctorOptions): Promise<Outcome> {
  const timeout = Number(options.timeout) * 1000
  if (!(timeout > 0)) throw wrongUsage(`"${options.timeout}" isn't a number of seconds above 0.`)
  const site = url === undefined ? undefined : siteUrl(url)
  // A running site can be checked from any folder.
  const isElsewhere = site !== undefined && rootAbove(context.cwd) === undefined
  const local = isElsewhere
    ? nowhere
    : await projectFindings(context, findProject(context.cwd), { ...options, timeout })
  if (site === undefined) return report(context, local.findings)
  const base = site.pathname === "/" ? site.origin + local.basePath : site.href.replace(/\/+$/, "")
  return report(context, [...local.findings, ...(await siteFindings({ base, timeout, expected: local.ids }))])
}

function siteUrl(text: string): URL {
  const url = webUrl(text)
  if (url !== undefined) return url
  throw wrongUsage(`"${text}" isn't a URL such as https://app.example or http://localhost:3000/api/auth.`)
}

interface Local {
  readonly findings: readonly Finding[]
  readonly basePath: string
  /** The ids of the providers. Undefined if the file wasn't run. */
  readonly ids: readonly string[] | undefined
}

const nowhere: Local = { findings: [], basePath: "/auth", ids: undefined }

interface LocalOptions extends Omit<DoctorOptions, "timeout"> {
  /** Milliseconds. */
  readonly timeout: number
}

async function projectFindings(context: Context, project: Project, options: LocalOptions): Promise<Local> {
  const environment = environmentOf(project, options.production === true, context.env)
  const about = [
    ...packageFindings(project),
    ...typescriptFindings(project),
    ...urlFindings(project, environment),
    ...environmentFindings(project, environment),
    ...formFindings(project, environment),
  ]
  try {
    const found = findConfiguration(project.root, options.config)
    const seen = await configurationFindings(project, found, { ...options, environment })
    const findings = [...about, ...foreignFindings(project, found), ...seen.findings]
    return { ...seen, findings: withoutSecrets(findings, environment.variables) }
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 2) throw error
    const { basePath } = project.framework
    const findings = [...about, ...secretFindings(project, environment), problem("configuration", error.message)]
    return { findings: withoutSecrets(findings, environment.variables), basePath, ids: undefined }
  }
}

interface FoundConfiguration {
  readonly file: ConfigurationFile
  readonly configuration: Configuration
}

/** The configuration may still be passed to Auth.js itself. */
function foreignFindings(project: Project, { file, configuration: { from } }: FoundConfiguration): Finding[] {
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? from
  if (!isForeign(project, name)) return []
  return [
    problem(
      "package",
      `${file.path} imports ${name}, which isn't Latchkey`,
      "Run `npx latchkey migrate`, or install Latchkey under this name",
    ),
  ]
}

interface ConfigurationOptions extends LocalOptions {
  readonly environment: Environment
}

async function configurationFindings(
  project: Project,
  found: FoundConfiguration,
  options: ConfigurationOptions,
): Promise<Local> {
  const { timeout, offline = false, environment } = options
  const paths = pathsOf(project, environment)
  const { base, basePath, mount } = paths
  const path = join(project.root, runnable(paths.files, found.file))
  const own = project.framework.id === "express" ? mount?.path : undefined
  const job = { root: project.root, file: path, basePath, mount: own, origin: new URL(base).origin, offline, timeout }
  const seen = await inspection(found.file, options.load, () => load(job, environment.variables))
  const context = { project, found, environment, paths }
  const local = seen.kind === "inspected" ? inspectedLocal(context, seen, offline) : readLocal(context, seen)
  const sites = seen.kind === "inspected" ? await passkeySites(seen.passkeys, { offline, timeout }) : []
  return { ...local, findings: [...local.findings, ...passkeyPackage(project, found, seen), ...sites] }
}

interface Paths {
  readonly files: readonly ConfigurationFile[]
  readonly mount: Mount | undefined
  /** AUTH_URL, or its old name. */
  readonly url: string | undefined
  /** The base path in the code. */
  readonly written: string | undefined
  readonly basePath: string
  /** The URL of the routes in development. */
  readonly base: string
}

function pathsOf(project: Project, { variables }: Environment): Paths {
  const files = configurationFiles(project.root)
  const written = writtenBasePath(project, files)
  const [development] = baseUrlsOf(project, files, {})
  return {
    files,
    mount: mountOf(project),
    url: variables["AUTH_URL"] || variables["NEXTAUTH_URL"],
    written,
    basePath: written ?? project.framework.basePath,
    base: development?.base ?? "",
  }
}

interface LocalContext {
  readonly project: Project
  readonly found: FoundConfiguration
  readonly environment: Environment
  readonly paths: Paths
}

function inspectedLocal(context: LocalContext, seen: Inspection, offline: boolean): Local {
  const { project, found, environment, paths } = context
  const routes = routeFindings(project, { ...paths, basePath: seen.basePath })
  // The finding about the routes says more.
  const warnings = seen.warnings.filter(
    ({ code }) => routes.every(({ check }) => check !== "base path") || code !== "env-url-basepath-mismatch",
  )
  const findings = [
    ...secretFindings(project, environment, seen),
    ...sourceFindings(found.file, found.configuration),
    ...routes,
    ...inspectedFindings({ ...seen, warnings }, readProviders(context), offline),
  ]
  return { findings, basePath: seen.basePath, ids: seen.providers.map(({ id }) => id) }
}

/** An application that passes the functions of the library itself knows where they come from. */
function passkeyPackage(
  project: Project,
  { file, configuration }: FoundConfiguration,
  seen: Inspection | Failed,
): Finding[] {
  const isUsed = seen.kind === "inspected" ? seen.passkeys.length > 0 : hasPasskeys(file, configuration)
  if (!isUsed || file.source.text.includes("simpleWebAuthn")) return []
  return [libraryFinding(project, seen.kind === "inspected" && seen.isStrict)]
}

/** The findings from the source, because the file wasn't run. */
function readLocal(context: LocalContext, { reason }: Failed): Local {
  const { project, found, environment, paths } = context
  const { file, configuration } = found
  const notRun = skipped(
    "configuration",
    `${file.path} was read but not run: ${reason}`,
    "Some checks were skipped. To run them, move the configuration into a file of its own.",
  )
  const secrets = setsSecret(configuration)
    ? [skipped("secret", `The secret is set in ${file.path}, which wasn't run`)]
    : secretFindings(project, environment)
  const { written, url, basePath } = paths
  const routes = routeFindings(project, { ...paths, basePath: written ?? pathIn(url) ?? basePath })
  const findings = [
    ...secrets,
    ...urlWarnings(project, environment),
    ...sourceFindings(file, configuration),
    notRun,
    ...routes,
    ...readProviders(context),
  ]
  return { findings, basePath, ids: undefined }
}

function readProviders({ found, environment, paths }: LocalContext): Finding[] {
  const base = baseFor(paths.url, paths.mount?.path ?? paths.written, paths.base)
  return readingFindings(found.file, found.configuration, { base, variables: environment.variables })
}

/** The URL of the routes: AUTH_URL with the path from the code, or of the development server. */
function baseFor(url: string | undefined, path: string | undefined, base: string): string {
  const given = webUrl(url)
  if (given === undefined) return base
  return given.origin + (path ?? pathIn(url) ?? new URL(base).pathname)
}

function pathIn(url: string | undefined): string | undefined {
  const path = webUrl(url)?.pathname.replace(/\/+$/, "") ?? ""
  return path === "" ? undefined : path
}

async function inspection(
  file: ConfigurationFile,
  mayRun: boolean,
  run: () => Promise<Inspection | Failed>,
): Promise<Inspection | Failed> {
  if (!mayRun) return { kind: "failed", reason: "--no-load" }
  if (listens(file.source)) return { kind: "failed", reason: "it would start a server" }
  return run()
}

const marks = { ok: "✔", warning: "!", problem: "✘", skipped: "-" } as const

function report({ terminal }: Context, findings: readonly Finding[]): Outcome {
  const { green, yellow, red, dim } = terminal.style
  const paint = { ok: green, warning: yellow, problem: red, skipped: dim }
  const width = Math.max(...findings.map(({ check }) => check.length))
  for (const { check, status, message, fix } of findings) {
    terminal.say(`${paint[status](marks[status])} ${check.padEnd(width)}  ${message}`)
    if (fix !== undefined) terminal.say(`  ${" ".repeat(width)}  ${dim(`→ ${fix}`)}`)
  }
  const count = (status: Finding["status"]) => findings.filter((one) => one.status === status).length
  const [problems, warnings] = [count("problem"), count("warning")]
  terminal.say(`\n${counted(problems, "problem")}, ${counted(warnings, "warning")}`)
  return { code: problems === 0 ? 0 : 1, report: { problems, warnings, findings } }
}
