import { allModules, allProviders, type Entry, type ModuleEntry } from "../catalogue.js"
import { type Context, done, type Outcome } from "../outcome.js"
import type { BaseUrl } from "../project/base-urls.js"
import { exposure } from "../project/env-file.js"
import { installCommand, type Project } from "../project/project.js"
import { optionsByHand, signsSecret } from "../provider-variables.js"

/** What `latchkey add --list` shows. */
export function list({ terminal }: Context): Outcome {
  const entries = allProviders()
  const modules = allModules()
  const width = Math.max(...entries.map(({ id }) => id.length))
  for (const { id, name, deprecated } of entries) {
    terminal.say(`${id.padEnd(width)}  ${name}${deprecated ? terminal.style.dim(" (deprecated)") : ""}`)
  }
  terminal.say()
  for (const { id, name } of modules) terminal.say(`${id.padEnd(width)}  ${name}${terminal.style.dim(" (module)")}`)
  return done({
    modules: modules.map(({ id, name, package: from }) => ({ id, name, package: from })),
    providers: entries.map(({ id, name, type, docs, deprecated, env }) => ({ id, name, type, docs, deprecated, env })),
  })
}

interface Setup {
  readonly baseUrls: readonly BaseUrl[]
  readonly hasAdapter: boolean
  readonly hasEmail: boolean
  readonly added: ReadonlySet<string>
}

export function showSetup({ terminal }: Context, entry: Entry, { baseUrls, hasAdapter, added }: Setup): void {
  const { bold, dim, yellow } = terminal.style
  const isNew = added.has(entry.id)
  terminal.say(`${bold(entry.name)}${isNew ? "" : " is already in the configuration"}`)
  if (entry.deprecated)
    terminal.say(yellow("  ! This provider is deprecated: the service or this API has ended, or will end"))
  const need = adapterNeeds[entry.type]
  if (need === undefined) {
    terminal.say(`  Register your application at ${entry.name}, with a callback URL for each environment:`)
    for (const { environment, base } of baseUrls) {
      terminal.say(`    ${callbackUrl(base, entry)}  ${dim(`(${environment})`)}`)
    }
    if (signsSecret(entry)) terminal.say(dim("    Apple accepts https URLs only, and no localhost."))
  } else if (!hasAdapter) terminal.say(yellow(`  ! ${need} Set \`adapter\` in the configuration.`))
  for (const option of optionsByHand(entry))
    terminal.say(yellow(`  ! Add the option \`${option}\` yourself. See ${entry.docs}`))
  terminal.say(dim(`  ${entry.docs}`))
}

export function showNeeds({ terminal }: Context, module: ModuleEntry, { hasAdapter, hasEmail, added }: Setup): void {
  const { bold, yellow } = terminal.style
  const isNew = added.has(module.id)
  terminal.say(`${bold(module.name)}${isNew ? "" : " are already in the configuration"}`)
  if (module.worksAlone === true) return
  if (!hasAdapter)
    terminal.say(yellow("  ! They need an adapter to store their data. Set `adapter` in the configuration."))
  if (module.mails && !hasEmail)
    terminal.say(yellow("  ! They send emails. Add an email provider: `npx latchkey add nodemailer`"))
  if (isNew && module.options !== undefined)
    terminal.say(yellow(`  ! Their options are an example. Choose your own: ${module.options}`))
  terminal.say("  Their data has a table of its own. See what the database lacks: `npx latchkey db plan`")
}

/** Why a type of provider needs an adapter. These providers have no callback URL to register. */
const adapterNeeds: Readonly<Partial<Record<Entry["type"], string>>> = {
  email: "Email sign-in needs an adapter to store its links.",
  webauthn: "Passkeys need an adapter that stores them.",
}

function callbackUrl(base: string, { id }: Entry): string {
  return `${base}/callback/${id}`
}

interface Written {
  readonly entries: readonly Entry[]
  readonly modules: readonly ModuleEntry[]
  readonly envFile: string
  readonly baseUrls: readonly BaseUrl[]
  readonly values: ReadonlyMap<string, string>
  /** Variables without a value. */
  readonly empty: readonly string[]
  readonly path: string
  readonly added: ReadonlySet<string>
  /** Whether the configuration file changed. */
  readonly isChanged: boolean
  /** The packages that package.json got. */
  readonly dependencies: readonly string[]
}

export function report({ terminal }: Context, project: Project, written: Written): Outcome {
  const { root } = project
  const { entries, modules, baseUrls, envFile, values, empty, path, added, isChanged, dependencies } = written
  const { green, yellow } = terminal.style
  const set = [...values.keys()].filter((name) => !empty.includes(name))
  const warning = values.size === 0 ? undefined : exposure(root, envFile)
  terminal.say()
  const names = [...entries, ...modules].filter(({ id }) => added.has(id)).map(({ name }) => name)
  const changed = names.length > 0 ? `Added ${names.join(", ")} to ${path}` : `Enabled passkeys in ${path}`
  terminal.say(isChanged ? `${green("✔")} ${changed}` : `${path} is unchanged`)
  for (const name of dependencies)
    terminal.say(`${green("✔")} Added ${name} to package.json. Run \`${installCommand(project)}\`.`)
  if (set.length > 0) terminal.say(`${green("✔")} Wrote ${set.join(", ")} to ${envFile}`)
  if (empty.length > 0) terminal.say(`${yellow("!")} Fill in ${empty.join(", ")} in ${envFile}`)
  if (warning !== undefined) terminal.say(`${yellow("!")} ${warning}`)
  return done({
    config: path,
    added: [...added],
    envFile,
    set,
    empty,
    dependencies,
    callbacks: entries
      .filter(({ type }) => adapterNeeds[type] === undefined)
      .flatMap((entry) =>
        baseUrls.map(({ environment, base }) => ({ provider: entry.id, environment, url: callbackUrl(base, entry) })),
      ),
    ...(warning === undefined ? {} : { warning }),
  })
}
