import { existsSync } from "node:fs"
import { join } from "node:path"
import { providerOf } from "../catalogue.js"
import { Failure } from "../failure.js"
import { type Context, done, type Outcome } from "../outcome.js"
import { addressesOf } from "../project/addresses.js"
import { envText, exposure, readEnvFile } from "../project/env-file.js"
import { type FileToWrite, writeAll } from "../project/files.js"
import { type Framework, frameworks } from "../project/framework.js"
import { withDependencies } from "../project/manifest.js"
import { depends, findProject, installCommand, type Project } from "../project/project.js"
import { optionsText, variablesOf } from "../provider-variables.js"
import { withProvider } from "../source/add-provider.js"
import { configurationsIn } from "../source/configurations.js"
import { parse } from "../source/syntax.js"
import { expressFiles, expressLines } from "../templates/express.js"
import { nextFiles } from "../templates/next.js"
import { rangeOf } from "../version.js"
import { newSecret } from "./secret.js"

export interface InitOptions {
  readonly provider?: readonly string[]
  readonly dryRun?: boolean
}

/** `latchkey init` */
export async function init(context: Context, named: string | undefined, options: InitOptions): Promise<Outcome> {
  const found = findProject(context.cwd)
  const framework = frameworkFor(found, named)
  const project = { ...found, framework }
  const templates = framework.id === "next" ? nextFiles(project) : expressFiles(project)
  const files = withProviders(templates, options.provider ?? [])
  const envFile = framework.envFile
  const all = [...files, ...manifestFile(project), ...envFileOf(project, envFile, options.provider ?? [])]
  refuseOverwriting(project.root, files)
  if (options.dryRun === true) return preview(context, all)
  writeAll(project.root, all)
  return report(context, project, { files, all, envFile, providers: options.provider ?? [] })
}

const available = frameworks.filter(({ integration }) => integration !== undefined)

function frameworkFor({ framework: detected }: Project, named: string | undefined): Framework {
  const framework = named === undefined ? detected : frameworks.find(({ id }) => id === named)
  const names = available.map(({ id }) => id).join(", ")
  if (framework === undefined) throw new Failure(`There is no framework "${named}": take one of ${names}`, { code: 2 })
  if (available.includes(framework)) return framework
  if (named === undefined && framework.id === "core") {
    throw new Failure(
      `Neither Next.js nor Express is in package.json: install one, or name it (${names}); for anything else with Request and Response see docs/getting-started.md`,
    )
  }
  throw new Failure(
    `Latchkey has no package for ${framework.name} yet: there are ${names}, and @latchkey/core for anything with Request and Response`,
  )
}

function withProviders(files: readonly FileToWrite[], ids: readonly string[]): FileToWrite[] {
  return files.map((file) => {
    let { text } = file
    for (const entry of ids.map(providerOf)) {
      const source = parse(file.path, text ?? "")
      const [configuration] = configurationsIn(source)
      if (configuration !== undefined)
        text = withProvider(source, configuration, { ...entry, options: optionsText(entry) }) ?? text
    }
    return { ...file, text }
  })
}

function manifestFile({ root, manifest, framework }: Project): FileToWrite[] {
  const name = framework.integration
  if (name === undefined || depends(manifest, name)) return []
  return [{ path: "package.json", text: withDependencies(root, { [name]: rangeOf(name) }), replaces: true }]
}

function envFileOf(project: Project, file: string, ids: readonly string[]): FileToWrite[] {
  const there = readEnvFile(project.root, file)
  const values = new Map<string, string>()
  if (!there.get("AUTH_SECRET")) values.set("AUTH_SECRET", newSecret())
  // Without a bundler nothing says that this is development: the address has to.
  if (project.framework.id === "express" && !there.get("AUTH_URL")) values.set("AUTH_URL", developmentAddress(project))
  for (const { name } of ids.map(providerOf).flatMap(variablesOf)) if (!there.has(name)) values.set(name, "")
  return values.size === 0 ? [] : [{ path: file, text: envText(project, file, values), replaces: true }]
}

/** Also under another ending: `auth.js` beside our `auth.ts` would be a second configuration. */
function refuseOverwriting(root: string, files: readonly FileToWrite[]): void {
  const endings = ["ts", "tsx", "js", "jsx", "mjs", "cjs"]
  const there = files.flatMap(({ path }) => {
    const stem = path.replace(/\.\w+$/, "")
    // The two names of one thing: Next.js refuses to have both.
    const stems = [stem, stem.replace(/proxy$/, "middleware"), stem.replace(/middleware$/, "proxy")]
    const names = [path, ...stems.flatMap((one) => endings.map((ending) => `${one}.${ending}`))]
    return names.filter((name) => existsSync(join(root, name))).slice(0, 1)
  })
  if (there.length === 0) return
  throw new Failure(
    `Nothing was written, since this is there already:\n${there.map((path) => `    ${path}`).join("\n")}\n  Move it away, or go on from it: \`npx latchkey add\` adds providers, \`npx latchkey doctor\` looks for problems`,
  )
}

function preview({ terminal }: Context, files: readonly FileToWrite[]): Outcome {
  const { bold } = terminal.style
  const isSecret = (path: string) => path.startsWith(".env")
  for (const { path, text } of files) {
    terminal.say(bold(path))
    const shown = isSecret(path) ? "AUTH_SECRET=… and variables of the providers\n" : (text ?? "")
    terminal.say(shown.replaceAll(/^(?=.)/gm, "  "))
  }
  terminal.say("Nothing was written (--dry-run)")
  const told = files.map(({ path, text }) => (isSecret(path) ? { path } : { path, text }))
  return done({ dryRun: true, files: told })
}

interface Written {
  readonly files: readonly FileToWrite[]
  readonly all: readonly FileToWrite[]
  readonly envFile: string
  readonly providers: readonly string[]
}

function report({ terminal }: Context, project: Project, { files, all, envFile, providers }: Written): Outcome {
  const { green, yellow, bold } = terminal.style
  const warning = exposure(project.root, envFile)
  for (const { path } of all) terminal.say(`${green("✔")} ${path}`)
  if (warning !== undefined) terminal.say(`${yellow("!")} ${warning}`)
  const next = [installCommand(project), `npx latchkey add ${providers.join(" ") || "github"}`, "npx latchkey doctor"]
  terminal.say(`\n${bold("Next")}`)
  for (const step of next) terminal.say(`  ${step}`)
  const [configuration] = files
  const lines =
    project.framework.id === "express" && configuration !== undefined ? expressLines(configuration.path) : []
  if (lines.length > 0) showLines(terminal, lines)
  terminal.say(`\n  Then open ${developmentAddress(project)}/signin`)
  const written = all.map(({ path }) => path)
  return done({ framework: project.framework.id, written, next, lines, ...(warning === undefined ? {} : { warning }) })
}

function developmentAddress(project: Project): string {
  return addressesOf(project, [], {})[0]?.base ?? ""
}

function showLines(terminal: Context["terminal"], lines: readonly string[]): void {
  terminal.say("\n  and in the file that makes the application:\n")
  for (const line of lines) terminal.say(line === "" ? "" : `    ${line}`)
  terminal.say("\n  The variables reach it with `node --env-file=.env`.")
}
