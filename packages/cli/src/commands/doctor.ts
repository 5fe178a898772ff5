import { join } from "node:path"
import { type Environment, environmentFindings, environmentOf } from "../doctor/environment.js"
import { type Finding, ok, problem, skipped, warning } from "../doctor/finding.js"
import { inspectedFindings } from "../doctor/inspected.js"
import type { Failed, Inspection } from "../doctor/job.js"
import { load } from "../doctor/load.js"
import { listens, readingFindings, sourceFindings } from "../doctor/reading.js"
import { siteFindings } from "../doctor/site.js"
import { Failure, wrongUsage } from "../failure.js"
import type { Context, Outcome } from "../outcome.js"
import { baseUrlsOf, writtenBasePath } from "../project/base-urls.js"
import { type ConfigurationFile, configurationFiles, findConfiguration } from "../project/find-configuration.js"
import { depends, findProject, type Project, rootAbove } from "../project/project.js"
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
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === "http:" || url?.protocol === "https:") return url
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
  const about = [...packageFindings(project), ...environmentFindings(project, environment)]
  try {
    const found = findConfiguration(project.root, options.config)
    const seen = await configurationFindings(project, found, { ...options, variables: environment.variables })
    return { ...seen, findings: [...about, ...seen.findings] }
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 2) throw error
    const { basePath } = project.framework
    return { findings: [...about, problem("configuration", error.message)], basePath, ids: undefined }
  }
}

async function configurationFindings(
  project: Project,
  { file, configuration }: { readonly file: ConfigurationFile; readonly configuration: Configuration },
  options: LocalOptions & Pick<Environment, "variables">,
): Promise<Local> {
  const { variables, timeout, offline = false } = options
  const files = configurationFiles(project.root)
  const base = baseUrlsOf(project, files, {})[0]?.base ?? ""
  const basePath = writtenBasePath(project, files) ?? project.framework.basePath
  const path = join(project.root, runnable(files, file))
  const job = { root: project.root, file: path, basePath, origin: new URL(base).origin, offline, timeout }
  const seen = await inspection(file, options.load, () => load(job, variables))
  const written = sourceFindings(file, configuration)
  const read = readingFindings(file, configuration, { base, variables })
  if (seen.kind === "inspected") {
    const ids = seen.providers.map(({ id }) => id)
    return { findings: [...written, ...inspectedFindings(seen, read, offline)], basePath: seen.basePath, ids }
  }
  const notRun = skipped(
    "configuration",
    `${file.path} was read but not run: ${seen.reason}`,
    "Some checks were skipped. To run them, move the configuration into a file of its own.",
  )
  return { findings: [...written, notRun, ...read], basePath, ids: undefined }
}

/** In a split configuration, the file that passes it to Latchkey has all of it. */
function runnable(files: readonly ConfigurationFile[], file: ConfigurationFile): string {
  const isCalled = ({ configurations }: ConfigurationFile) => configurations.some((one) => one.isCalled)
  const caller = isCalled(file) ? file : files.find((one) => isCalled(one) && !listens(one.source))
  return (caller ?? file).path
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

function packageFindings(project: Project): Finding[] {
  const { framework, manifest } = project
  const { integration, name } = framework
  if (integration === undefined)
    return [
      warning(
        "package",
        `Latchkey has no package for ${name} yet`,
        "Use @latchkey/core, which works with every server that has Request and Response",
      ),
    ]
  const isAlias = manifest.dependencies?.["next-auth"]?.startsWith("npm:@latchkey/next") === true
  if (depends(manifest, integration) || isAlias) return [ok("package", `${integration} for ${name}`)]
  return [
    problem(
      "package",
      `${integration} isn't in package.json`,
      "Run `npx latchkey init`, or `npx latchkey migrate` if you come from Auth.js",
    ),
  ]
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

function counted(count: number, word: string): string {
  return `${count === 0 ? "no" : count} ${word}${count === 1 ? "" : "s"}`
}
