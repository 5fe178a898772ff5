import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { text } from "node:stream/consumers"
import { allProviders, type Entry, type ModuleEntry, providerOrModuleOf } from "../catalogue.js"
import { Failure, wrongUsage } from "../failure.js"
import type { Context, Outcome } from "../outcome.js"
import { baseUrlsOf } from "../project/base-urls.js"
import { withDeclarations } from "../project/declared-variables.js"
import { envText, readEnvFile } from "../project/env-file.js"
import { type FileToWrite, isFile, writeAll } from "../project/files.js"
import { type ConfigurationFile, configurationFiles, findConfiguration } from "../project/find-configuration.js"
import { type Dependencies, withDependencies } from "../project/manifest.js"
import { passkeyLibraryChange } from "../project/passkey-library.js"
import { findProject, type Project, rangesOf } from "../project/project.js"
import { optionsText, type Variable, variablesOf } from "../provider-variables.js"
import { withModule } from "../source/add-module.js"
import { withProvider } from "../source/add-provider.js"
import { type Configuration, configurationsIn } from "../source/configurations.js"
import { withPasskeysEnabled } from "../source/enable-passkeys.js"
import { propertyOf, providersOf } from "../source/providers.js"
import { parse, type Source } from "../source/syntax.js"
import { rangeOf } from "../version.js"
import { list, report, showNeeds, showSetup } from "./add-report.js"

export interface AddOptions {
  readonly config?: string
  readonly clientId?: string
  readonly clientSecretStdin?: boolean
  readonly issuer?: string
  readonly keyFile?: string
  readonly file?: string
  readonly force?: boolean
  readonly list?: boolean
}

/** `latchkey add` */
export async function add(context: Context, ids: readonly string[], options: AddOptions): Promise<Outcome> {
  if (options.list === true) return list(context)
  const wanted = await chosen(context, ids, options)
  const { entries } = wanted
  const project = findProject(context.cwd)
  const { file } = findConfiguration(project.root, options.config)
  const edited = edit(file.path, file.source.text, wanted)
  const baseUrls = baseUrlsOf(project, configurationFiles(project.root), context.env)
  const hasAdapter = configurationFiles(project.root).some(setsAdapter)
  const present = { baseUrls, hasAdapter, hasEmail: sendsEmail(edited.text), added: edited.added }
  for (const entry of entries) showSetup(context, entry, present)
  for (const module of wanted.modules) showNeeds(context, module, present)

  const envFile = options.file ?? project.framework.envFile
  const values = await valuesOf(context, project, { entries, options, envFile })
  const env = envText(project, envFile, values)
  const dependencies = dependenciesFor(project, wanted)
  writeAll(project.root, [
    ...(edited.text === file.source.text ? [] : [{ path: file.path, text: edited.text, replaces: true }]),
    ...packageJson(project, dependencies),
    ...withDeclarations(
      project,
      entries.flatMap(variablesOf).map(({ name }) => name),
    ),
    ...(values.size === 0 ? [] : [{ path: envFile, text: env, replaces: true }]),
  ])
  const now = readEnvFile(project.root, envFile)
  const empty = entries.flatMap(variablesOf).filter(({ name }) => !now.get(name) && !context.env[name])
  return report(context, project, {
    ...wanted,
    baseUrls,
    envFile,
    values,
    empty: empty.map(({ name }) => name),
    path: file.path,
    added: edited.added,
    isChanged: edited.text !== file.source.text,
    dependencies: Object.keys(dependencies),
  })
}

function isModule(entry: Entry | ModuleEntry): entry is ModuleEntry {
  return "package" in entry
}

/** What package.json lacks. */
function dependenciesFor(project: Project, { entries, modules }: Chosen): Dependencies {
  const known = rangesOf(project.manifest)
  const missing = modules.filter((module) => known[module.package] === undefined)
  return {
    ...(entries.some(isPasskey) ? passkeyLibraryChange(project) : {}),
    ...Object.fromEntries(missing.map((module) => [module.package, rangeOf(module.package)])),
  }
}

function packageJson({ root }: Project, changes: Dependencies): FileToWrite[] {
  if (Object.keys(changes).length === 0) return []
  return [{ path: "package.json", text: withDependencies(root, changes), replaces: true }]
}

function isPasskey({ type }: Entry): boolean {
  return type === "webauthn"
}

/** Whether the file sets an adapter, or may get it from another one. */
function setsAdapter({ configurations }: ConfigurationFile): boolean {
  return configurations.some(
    ({ object }) =>
      propertyOf(object, "adapter") !== undefined || object.properties.some(({ type }) => type === "SpreadElement"),
  )
}

/** Whether the file imports an email provider. */
function sendsEmail(text: string): boolean {
  return allProviders().some(({ type, module }) => type === "email" && text.includes(`/providers/${module}`))
}

function isForOne({ clientId, clientSecretStdin, issuer, keyFile }: AddOptions): boolean {
  return [clientId, clientSecretStdin, issuer, keyFile].some((option) => option !== undefined)
}

interface Chosen {
  readonly entries: readonly Entry[]
  readonly modules: readonly ModuleEntry[]
}

async function chosen(context: Context, ids: readonly string[], options: AddOptions): Promise<Chosen> {
  const found = (await chosenIds(context, ids)).map(providerOrModuleOf)
  const entries = found.filter((entry): entry is Entry => !isModule(entry))
  const modules = found.filter(isModule)
  if (isForOne(options) && found.length > 1) {
    throw wrongUsage(
      "--client-id, --client-secret-stdin, --issuer and --key-file are for one provider. Add the providers one by one.",
    )
  }
  if (isForOne(options) && entries.length === 0)
    throw wrongUsage("--client-id, --client-secret-stdin, --issuer and --key-file are for providers, not for modules.")
  return { entries, modules }
}

async function chosenIds({ terminal }: Context, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length > 0) return [...new Set(ids)]
  const typed = (await terminal.ask?.text("Which providers or modules?", { placeholder: "github google" })) ?? ""
  const names = typed.split(/[\s,]+/).filter((name) => name !== "")
  if (names.length === 0)
    throw wrongUsage("Name a provider or module, for example `npx latchkey add github`. --list shows all of them.")
  return names
}

/** Adds all of them to the text of the file. */
function edit(path: string, given: string, { entries, modules }: Chosen): { text: string; added: ReadonlySet<string> } {
  const added = new Set<string>()
  let current = given
  for (const entry of entries) {
    const next = withProvider(...configurationIn(path, current), { ...entry, options: optionsText(entry) })
    if (next !== undefined) added.add(entry.id)
    current = next ?? current
    if (isPasskey(entry)) current = withPasskeysEnabled(...configurationIn(path, current)) ?? current
  }
  for (const module of modules) {
    const next = withModule(...configurationIn(path, current), module)
    if (next !== undefined) added.add(module.id)
    current = next ?? current
  }
  return { text: current, added }
}

function configurationIn(path: string, text: string): [Source, Configuration] {
  const source = parse(path, text)
  const configurations = configurationsIn(source)
  const listed = configurations.find(({ object }) => providersOf(source, object).kind === "array")
  const configuration = listed ?? configurations[0]
  if (configuration === undefined) throw new Failure(`${path} has no configuration. Name another file with --config.`)
  return [source, configuration]
}

interface Request {
  readonly entries: readonly Entry[]
  readonly options: AddOptions
  readonly envFile: string
}

/** The variables to write into the env file. An unknown value is empty, for you to fill in. */
async function valuesOf(
  { env, terminal }: Context,
  { root }: Project,
  { entries, options, envFile }: Request,
): Promise<ReadonlyMap<string, string>> {
  const existing = readEnvFile(root, envFile)
  const flags = await flagsOf(options)
  const values = new Map<string, string>()
  for (const entry of entries) {
    for (const variable of variablesOf(entry)) {
      const { name } = variable
      const provided = flagFor(variable, flags) ?? env[name]
      const keeps = provided === undefined || options.force !== true
      if (existing.get(name) && keeps) continue
      const value = provided ?? (await askFor(terminal.ask, entry, variable))
      if (value !== "" || !existing.has(name)) values.set(name, value)
    }
  }
  return values
}

function flagFor({ flag }: Variable, flags: Flags): string | undefined {
  return flag === undefined ? undefined : flags[flag]
}

type Flags = Readonly<Partial<Record<NonNullable<Variable["flag"]>, string>>>

async function flagsOf({ clientId, clientSecretStdin, issuer, keyFile }: AddOptions): Promise<Flags> {
  return {
    ...(clientId === undefined ? {} : { clientId }),
    ...(issuer === undefined ? {} : { issuer }),
    ...(clientSecretStdin === true ? { clientSecret: (await text(process.stdin)).trim() } : {}),
    ...(keyFile === undefined ? {} : { privateKey: keyIn(keyFile) }),
  }
}

/** The text of a `.p8` file. */
function keyIn(path: string): string {
  if (!isFile(path)) throw new Failure(`There is no file ${path}. Pass the .p8 file from Apple.`, { code: 2 })
  const key = readFileSync(path, "utf8").trim()
  if (!key.includes("PRIVATE KEY")) throw new Failure(`${path} isn't a private key. Pass the .p8 file from Apple.`)
  return key
}

async function askFor(ask: Context["terminal"]["ask"], { name }: Entry, variable: Variable): Promise<string> {
  if (ask === undefined) return ""
  if (variable.flag === "privateKey") {
    const path = await ask.text(`Path of the .p8 file from ${name} (${variable.name}; press Enter to fill it in later)`)
    return path === "" ? "" : keyIn(resolve(path))
  }
  const question = `${variable.label} for ${name} (${variable.name}; press Enter to fill it in later)`
  return (
    variable.secret ? await ask.secret(question) : await ask.text(question, { placeholder: variable.example })
  ).trim()
}
