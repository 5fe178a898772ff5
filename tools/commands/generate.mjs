import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { iconModules } from "../icons.mjs"
import { pageScript } from "../page-scripts.mjs"
import { readProviders, variablePrefix } from "../providers.mjs"
import { root } from "../workspace.mjs"

/** @typedef {import("../../packages/core/src/provider-kit/catalogue-entry.js").CatalogueEntry} Entry */

const core = join(root, "packages", "core", "src")
const cli = join(root, "packages", "cli")
const folder = join(core, "provider-kit", "generated")
const notice = "// Generated from the files in providers/ by tools/commands/generate.mjs. Not in git.\n"

/** Writes the sources that are generated from others. */
export async function generate() {
  // The providers import these.
  writeIcons(join(folder, "icons"), iconModules())
  const providers = await readProviders()
  const entries = providers.map(({ entry }) => entry)
  write(join(folder, "built-in-id.ts"), builtInId(entries))
  write(join(folder, "catalogue-entries.ts"), catalogueEntries(entries))
  write(join(folder, "own-options.ts"), ownOptions(providers))
  write(join(core, "features", "pages", "generated", "script.ts"), await scriptModule("script", "pageScript"))
  write(join(core, "features", "passkeys", "generated", "script.ts"), await scriptModule("passkeys", "passkeyScript"))
  write(join(cli, "src", "templates", "generated", "examples.ts"), examplesModule())
}

/** The name that vitest calls (`globalSetup` in vitest.config.ts). */
export { generate as setup }

/** Removes the modules of former logos, because tests read the folder. @param {string} to @param {ReturnType<typeof iconModules>} modules */
function writeIcons(to, modules) {
  const files = new Map(modules.map(([name, text]) => [`${name}.ts`, text]))
  for (const [file, text] of files) write(join(to, file), text)
  for (const file of readdirSync(to)) if (!files.has(file)) rmSync(join(to, file))
}

/** @param {readonly Entry[]} entries */
export function builtInId(entries) {
  const union = (/** @type {readonly Entry[]} */ some) => some.map(({ id }) => `\n  | ${JSON.stringify(id)}`).join("")
  const email = entries.filter(({ type }) => type === "email")
  const oauth = entries.filter(({ type }) => type !== "email")
  return `${notice}
/** The ids of the OAuth and OpenID Connect providers that come with this package. */
export type OAuthProviderId =${union(oauth)}

/** The ids of the email providers that come with this package. */
export type EmailProviderId =${union(email)}

export type BuiltInId = OAuthProviderId | EmailProviderId
`
}

/** @param {readonly { readonly entry: Entry, readonly options: readonly string[] }[]} providers */
function ownOptions(providers) {
  const rows = providers.map(({ entry, options }) => {
    const names = new Set(options.map((name) => name.split(".", 1)[0]))
    return `  ${JSON.stringify(entry.id)}: ${JSON.stringify([...names])},\n`
  })
  return `${notice}
/** The options that only one service has, by the id of its provider. */
export const ownOptions: Readonly<Record<string, readonly string[]>> = {
${rows.join("")}}
`
}

/** Without what `catalogue` adds, which most entries have in common. @param {readonly Entry[]} entries */
export function catalogueEntries(entries) {
  const rows = entries.map((entry) => {
    const { id, module, needs, options, deprecated, env, ...told } = entry
    const prefix = variablePrefix(id)
    const isUsual = JSON.stringify(env) === JSON.stringify({ clientId: `${prefix}ID`, clientSecret: `${prefix}SECRET` })
    return `  ${JSON.stringify({
      id,
      ...told,
      ...(module !== id && { module }),
      ...(needs.length > 0 && { needs }),
      ...(options.length > 0 && { options }),
      ...(deprecated && { deprecated }),
      ...(!isUsual && { env }),
    })},\n`
  })
  return `${notice}import type { CatalogueEntry } from "../catalogue-entry.js"

export const entries: readonly Told[] = [
${rows.join("")}]

type Told = Pick<CatalogueEntry, "id" | "name" | "type" | "exportName" | "docs"> & Partial<CatalogueEntry>
`
}

/** @param {string} name of the file @param {string} constant its name in TypeScript */
async function scriptModule(name, constant) {
  return `// Generated from packages/client/src/page/${name}.ts by tools/commands/generate.mjs. Not in git.

export const ${constant}: string = ${JSON.stringify(await pageScript(name))}
`
}

/** The folder of the example for a framework. examples/sveltekit is a whole product, and the one beside it is as small as the others. @param {string} id */
function exampleOf(id) {
  return join(root, "examples", id === "sveltekit" ? "sveltekit-custom" : id)
}

/** The files of each example that `latchkey init` writes. */
function examplesModule() {
  /** @type {Record<string, string[]>} */
  const paths = JSON.parse(readFileSync(join(cli, "init-files.json"), "utf8"))
  const texts = Object.entries(paths).map(([id, files]) => {
    const read = (/** @type {string} */ path) => readFileSync(join(exampleOf(id), path), "utf8")
    return [id, Object.fromEntries(files.map((path) => [path, read(path)]))]
  })
  return `// Generated from the files in examples/ that packages/cli/init-files.json lists, by tools/commands/generate.mjs. Not in git.

export const examples: Readonly<Record<string, Readonly<Record<string, string>>>> = ${JSON.stringify(Object.fromEntries(texts), null, 2)}
`
}

/** Leaves an unchanged file alone, so that nothing is compiled again. @param {string} path @param {string} text */
function write(path, text) {
  if (existsSync(path) && readFileSync(path, "utf8") === text) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
