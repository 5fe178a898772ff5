import { existsSync } from "node:fs"
import { join } from "node:path"
import { providerOf } from "../catalogue.js"
import { Failure } from "../failure.js"
import { type Context, done, type Outcome } from "../outcome.js"
import { baseUrlsOf } from "../project/base-urls.js"
import { declaredIn } from "../project/declared-variables.js"
import { envText, exposure, readEnvFile } from "../project/env-file.js"
import { type FileToWrite, writeAll } from "../project/files.js"
import { type Framework, frameworks } from "../project/framework.js"
import { withDependencies } from "../project/manifest.js"
import { passkeyLibraryChange } from "../project/passkey-library.js"
import { depends, findProject, installCommand, type Project } from "../project/project.js"
import { optionsText, variablesOf } from "../provider-variables.js"
import { withProvider } from "../source/add-provider.js"
import { type Configuration, configurationsIn } from "../source/configurations.js"
import { withPasskeysEnabled } from "../source/enable-passkeys.js"
import { parse, type Source } from "../source/syntax.js"
import { exampleFiles, hasExample, inLanguageOf } from "../templates/example.js"
import { type Addition, guideFor } from "../templates/guides.js"
import { nextFiles } from "../templates/next.js"
import { qwikFiles } from "../templates/qwik.js"
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
  const { files, additions } = splitShared(project, filesFor(project, options.provider ?? []))
  const envFile = framework.envFile
  const all = [
    ...files,
    ...manifestFile(project, files, options.provider ?? []),
    ...envFileOf(project, envFile, options.provider ?? []),
  ]
  refuseOverwriting(project.root, files)
  if (options.dryRun === true) return preview(context, all)
  writeAll(project.root, all)
  return report(context, project, { additions, all, envFile, providers: options.provider ?? [] })
}

function filesFor(project: Project, providers: readonly string[]): FileToWrite[] {
  const { id } = project.framework
  if (id === "next") return withProviders(nextFiles(project), providers)
  if (id === "qwik") return withProviders(qwikFiles(project), providers)
  const files = withProviders(exampleFiles(project), providers)
  const variables = providers
    .map(providerOf)
    .flatMap(variablesOf)
    .map(({ name }) => name)
  return files
    .map((file) => (file.path === "src/env.ts" ? { ...file, text: declaredIn(file.text ?? "", variables) } : file))
    .map((file) => inLanguageOf(project, file))
    .filter((file) => file !== undefined)
}

const available = frameworks.filter(({ id }) => ["next", "qwik"].includes(id) || hasExample(id))

function frameworkFor({ framework: detected }: Project, named: string | undefined): Framework {
  const framework = available.find(({ id }) => id === (named ?? detected.id))
  if (framework !== undefined) return framework
  const names = available.map(({ id }) => id).join(", ")
  if (named !== undefined) throw new Failure(`There is no framework "${named}". Choose one of ${names}.`, { code: 2 })
  throw new Failure(
    `package.json has no framework that this command knows. Install one, or name it (${names}). For other servers, use @latchkey/core.`,
  )
}

/** The files to write, and the lines to add to those that the application has already. */
function splitShared(project: Project, files: readonly FileToWrite[]): { files: FileToWrite[]; additions: Addition[] } {
  const { shared, additions } = guideFor(project)
  const isKept = ({ path }: FileToWrite) => shared[path] !== undefined && existsSync(join(project.root, path))
  const kept = files.filter(isKept).map(({ path }) => ({ file: path, lines: shared[path] ?? [] }))
  return { files: files.filter((file) => !isKept(file)), additions: [...kept, ...additions] }
}

const isCode = /\.[cm]?[jt]sx?$/

function withProviders(files: readonly FileToWrite[], ids: readonly string[]): FileToWrite[] {
  return files.map((file) => {
    let { text } = file
    if (!isCode.test(file.path)) return file
    for (const entry of ids.map(providerOf)) {
      text = changed(file.path, text, (...given) => withProvider(...given, { ...entry, options: optionsText(entry) }))
      if (entry.type === "webauthn") text = changed(file.path, text, withPasskeysEnabled)
    }
    return { ...file, text }
  })
}

/** The text after a change of the configuration in it, if there is one. */
function changed(
  path: string,
  text: string | undefined,
  change: (source: Source, configuration: Configuration) => string | undefined,
): string | undefined {
  const source = parse(path, text ?? "")
  const [configuration] = configurationsIn(source)
  return configuration === undefined ? text : (change(source, configuration) ?? text)
}

function manifestFile(project: Project, files: readonly FileToWrite[], ids: readonly string[]): FileToWrite[] {
  const { root, manifest } = project
  const imported = files.flatMap(({ text = "" }) => [...text.matchAll(/from "(@latchkey\/[\w-]+)/g)])
  const names = new Set(imported.map(([, name = ""]) => name))
  const missing = [...names].filter((name) => !depends(manifest, name))
  const hasPasskeys = ids.map(providerOf).some(({ type }) => type === "webauthn")
  const own = Object.fromEntries(missing.map((name) => [name, rangeOf(name)]))
  const changes = { ...own, ...(hasPasskeys ? passkeyLibraryChange(project) : {}) }
  if (Object.keys(changes).length === 0) return []
  return [{ path: "package.json", text: withDependencies(root, changes), replaces: true }]
}

function envFileOf(project: Project, file: string, ids: readonly string[]): FileToWrite[] {
  const existing = readEnvFile(project.root, file)
  const values = new Map<string, string>()
  if (!existing.get("AUTH_SECRET")) values.set("AUTH_SECRET", newSecret())
  // Without a bundler, NODE_ENV isn't set. An http URL tells the engine that this is development.
  if (project.framework.runner === "node" && !existing.get("AUTH_URL")) values.set("AUTH_URL", developmentUrl(project))
  for (const { name } of ids.map(providerOf).flatMap(variablesOf)) if (!existing.has(name)) values.set(name, "")
  return values.size === 0 ? [] : [{ path: file, text: envText(project, file, values), replaces: true }]
}

/** Other extensions count, too: an existing `auth.js` next to a new `auth.ts` would be a second configuration. */
function refuseOverwriting(root: string, files: readonly FileToWrite[]): void {
  const extensions = ["ts", "tsx", "js", "jsx", "mjs", "cjs"]
  const existing = files.flatMap(({ path }) => {
    const stem = path.replace(/\.\w+$/, "")
    // Next.js 16 renamed middleware to proxy, and refuses an application with both.
    const stems = [stem, stem.replace(/proxy$/, "middleware"), stem.replace(/middleware$/, "proxy")]
    const names = [path, ...stems.flatMap((one) => extensions.map((extension) => `${one}.${extension}`))]
    return names.filter((name) => existsSync(join(root, name))).slice(0, 1)
  })
  if (existing.length === 0) return
  throw new Failure(
    `No file was written, because these exist already:\n${existing.map((path) => `    ${path}`).join("\n")}\n  Move them away and run this again, or keep them: \`npx latchkey add\` adds providers, and \`npx latchkey doctor\` finds problems.`,
  )
}

function preview({ terminal }: Context, files: readonly FileToWrite[]): Outcome {
  const { bold } = terminal.style
  const isSecret = (path: string) => path.startsWith(".env")
  for (const { path, text } of files) {
    terminal.say(bold(path))
    const shown = isSecret(path) ? "AUTH_SECRET=… and the variables of the providers\n" : (text ?? "")
    terminal.say(shown.replaceAll(/^(?=.)/gm, "  "))
  }
  terminal.say("No file was written (--dry-run).")
  const shownFiles = files.map(({ path, text }) => (isSecret(path) ? { path } : { path, text }))
  return done({ dryRun: true, files: shownFiles })
}

interface Written {
  readonly additions: readonly Addition[]
  readonly all: readonly FileToWrite[]
  readonly envFile: string
  readonly providers: readonly string[]
}

function report({ terminal }: Context, project: Project, written: Written): Outcome {
  const { additions, all, envFile, providers } = written
  const { green, yellow, bold } = terminal.style
  const warning = exposure(project.root, envFile)
  for (const { path } of all) terminal.say(`${green("✔")} ${path}`)
  if (warning !== undefined) terminal.say(`${yellow("!")} ${warning}`)
  const next = [installCommand(project), `npx latchkey add ${providers.join(" ") || "github"}`, "npx latchkey doctor"]
  terminal.say(`\n${bold("Next")}`)
  for (const step of next) terminal.say(`  ${step}`)
  for (const addition of additions) showAddition(terminal, addition)
  const { start } = guideFor(project)
  if (start !== undefined) terminal.say(`\n  Start it with \`${start}\`, so that it reads the variables.`)
  terminal.say(`\n  Then open ${developmentUrl(project)}/signin`)
  const { basePath } = project.framework
  terminal.say(`\n  In production, set AUTH_URL to the public URL, such as https://app.example${basePath}.`)
  const paths = all.map(({ path }) => path)
  const details = warning === undefined ? {} : { warning }
  return done({ framework: project.framework.id, written: paths, next, additions, ...details })
}

function developmentUrl(project: Project): string {
  return baseUrlsOf(project, [], {})[0]?.base ?? ""
}

function showAddition(terminal: Context["terminal"], { file, lines }: Addition): void {
  terminal.say(`\n  Add this to ${file}:\n`)
  for (const line of lines) terminal.say(line === "" ? "" : `    ${line}`)
}
