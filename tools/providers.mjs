// Builds the catalogue from the provider files: calls each provider for its facts, and reads the rest from its JSDoc.
import { randomUUID } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, isAbsolute, join } from "node:path"
import { pathToFileURL } from "node:url"
import { Failure } from "./shell.mjs"
import { root, shown } from "./workspace.mjs"

/** @typedef {import("../packages/core/src/provider-kit/catalogue-entry.js").CatalogueEntry} Entry */
/** @typedef {{ module: string, path: string, text: string }} Source */
/** @typedef {{ id: string, name: string, type: string, issuer?: string, deprecated?: string, authorization?: unknown, wellKnown?: string, client?: { token_endpoint_auth_method?: string } }} Provider */
/** @typedef {{ name: string, required: boolean, isVariable: boolean }} Option `isVariable`: an environment variable sets it too */
/** @typedef {{ entry: Entry, guide: string, options: readonly string[] }} Documented `guide`: its JSDoc without tags, as Markdown. `options`: all that only this service has */

export const providersFolder = join(root, "packages", "core", "src", "providers")

/**
 * The catalogue entry and the guide of each provider, in the order of their modules.
 * @param {string} [folder]
 * @returns {Promise<readonly Documented[]>}
 */
export async function readProviders(folder = providersFolder) {
  const sources = sourcesIn(folder)
  const providers = await run(sources)
  const options = optionsIn(sources)
  return sources.flatMap((source, index) => {
    const provider = providers[index]
    // A sign-in form or a passkey has nothing to register, so the catalogue leaves it out.
    return provider && ["oauth", "oidc", "email"].includes(provider.type) ? [documented(source, provider, options)] : []
  })
}

/** The names of the provider files, without `.ts`. @param {string} folder */
export function modulesIn(folder) {
  return readdirSync(folder)
    .filter((name) => /^[\w-]+\.ts$/.test(name) && name !== "index.ts")
    .map((name) => name.slice(0, -".ts".length))
    .toSorted()
}

/** @param {string} folder @returns {Source[]} */
function sourcesIn(folder) {
  return modulesIn(folder).map((module) => {
    const path = join(folder, `${module}.ts`)
    return { module, path, text: readFileSync(path, "utf8") }
  })
}

/** Calls the default export of each file. They're bundled first, because Node can't resolve `./x.js` to a TypeScript file. @param {Source[]} sources @returns {Promise<Provider[]>} */
async function run(sources) {
  const { rolldown } = await import("rolldown")
  const entry = "\0providers"
  const text = sources
    .map(({ path }, index) => `export { default as p${index} } from ${JSON.stringify(path)}`)
    .join("\n")
  const build = await rolldown({
    input: entry,
    external: (id) => !/^[.#]/.test(id) && !isAbsolute(id) && id !== entry,
    // package.json leads `#` imports to `dist`, which this may run before.
    resolve: { alias: { "#passkey-library": join(providersFolder, "../provider-kit/passkey-library/imported.ts") } },
    platform: "neutral",
    tsconfig: false,
    plugins: [
      { name: "providers", resolveId: (id) => (id === entry ? id : null), load: (id) => (id === entry ? text : null) },
    ],
  })
  const { output } = await build.generate({ codeSplitting: false }).catch((error) => {
    throw new Failure(`The providers can't be bundled: ${error.message}`, { cause: error })
  })
  await build.close()
  // Several processes may do this at a time.
  const file = join(root, "node_modules", ".cache", "providers", `${randomUUID()}.mjs`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, output[0].code)
  try {
    const exports = await import(pathToFileURL(file).href)
    return sources.map((source, index) => call(source, exports[`p${index}`]))
  } finally {
    rmSync(file)
  }
}

/** @param {Source} source @param {unknown} factory @returns {Provider} */
function call(source, factory) {
  if (typeof factory !== "function") throw fault(source, "has no default export that is a function")
  return factory({ clientId: "client-id", server: "smtp://localhost" })
}

/** @param {Source} source @param {Provider} provider @param {Map<string, Option[]>} options @returns {Documented} */
function documented(source, provider, options) {
  const { exportName, comment } = defaultExport(source)
  const env = environmentOf(source, provider, comment)
  const declared = ownOptions(source, options)
  // The variables are in `env`.
  const own = declared.filter(({ isVariable }) => !isVariable)
  const required = own.filter((option) => option.required).map(({ name }) => name)
  const entry = {
    // Being in the catalogue is what makes an id a built-in one.
    id: /** @type {Entry["id"]} */ (provider.id),
    name: provider.name,
    type: /** @type {Entry["type"]} */ (provider.type),
    module: source.module,
    exportName,
    needs: [...(needsIssuer(provider, env) ? ["issuer"] : []), ...required],
    options: own.map(({ name }) => name),
    issuer: env.issuer && (issuerIn(comment, env.issuer) ?? provider.issuer),
    env,
    deprecated: provider.deprecated !== undefined || /^@deprecated /m.test(comment),
    docs: documentationIn(source, comment),
  }
  return { entry, guide: guideIn(comment), options: declared.map(({ name }) => name) }
}

/** The description, with the reason of a deprecation. @param {string} comment */
function guideIn(comment) {
  const [description = "", ...tags] = comment.split(/^@/m)
  const deprecated = tags.find((tag) => tag.startsWith("deprecated "))
  return [description, ...(deprecated === undefined ? [] : [deprecated.replace("deprecated", "Deprecated:")])]
    .map((part) => part.trim())
    .join("\n\n")
}

/** @param {Source} source @param {string} comment */
function documentationIn(source, comment) {
  const url = /^@see (https:\/\/\S+)/m.exec(comment)?.[1]
  if (url === undefined) throw fault(source, "has no `@see` with the URL of the service's documentation")
  return url
}

/** Whether the provider was made without knowing where its service is. @param {Provider} provider @param {Entry["env"]} env */
function needsIssuer({ issuer, wellKnown, authorization }, env) {
  return env.issuer !== undefined && [issuer, wellKnown, urlOf(authorization)].every((url) => url === undefined)
}

/** The name of the default export and the text of its JSDoc. @param {Source} source */
function defaultExport(source) {
  const match = /^export default (?:function )?(\w+)/m.exec(source.text)
  const exportName = match?.[1]
  if (exportName === undefined) throw fault(source, "has no default export with a name")
  const declaration = new RegExp(`^(?:const|export default function) ${exportName}\\b`, "m").exec(source.text)
  const before = source.text.slice(0, declaration?.index).trimEnd()
  const comment = before.endsWith("*/") ? before.slice(before.lastIndexOf("/**")) : ""
  if (comment === "")
    throw fault(source, `has no comment before ${exportName} that says how to register an application`)
  return { exportName, comment: comment.replaceAll(/^ *(?:\/\*\*|\* ?\/?)/gm, "") }
}

/** As `variableName` of core. @param {string} id */
export function variablePrefix(id) {
  return `AUTH_${id.toUpperCase().replaceAll(/[^A-Z0-9_]/g, "_")}_`
}

/** The variables that the comment names. @param {Source} source @param {Provider} provider @param {string} comment @returns {Entry["env"]} */
function environmentOf(source, { id, type, client }, comment) {
  const prefix = variablePrefix(id)
  const named = new Set([...comment.matchAll(/`(AUTH_\w+)`/g)].map(([, name = ""]) => name))
  const find = (/** @type {string} */ suffix) => (named.has(prefix + suffix) ? prefix + suffix : undefined)
  const hasSecret = type !== "email" && client?.token_endpoint_auth_method !== "none"
  for (const suffix of [...(type === "email" ? [] : ["ID"]), ...(hasSecret ? ["SECRET"] : [])]) {
    if (find(suffix) === undefined) throw fault(source, `doesn't say in its comment to set \`${prefix}${suffix}\``)
  }
  const variables = { clientId: find("ID"), clientSecret: find("SECRET"), issuer: find("ISSUER"), apiKey: find("KEY") }
  return Object.fromEntries(Object.entries(variables).filter(([, name]) => name !== undefined))
}

/** The URL that follows the variable's name in the comment. @param {string} comment @param {string} variable */
function issuerIn(comment, variable) {
  const after = comment.slice(comment.indexOf(`\`${variable}\``))
  return /`(https:\/\/[^`\s]+)`/.exec(after.split(/^@/m)[0] ?? "")?.[1]
}

/** @param {unknown} endpoint */
function urlOf(endpoint) {
  return typeof endpoint === "object" && endpoint !== null ? Reflect.get(endpoint, "url") : endpoint
}

/** The provider's own options. The comment of a required one starts with "Required." and a space. @param {Source} source @param {Map<string, Option[]>} types */
function ownOptions({ text }, types) {
  const type = /(?:ProviderFactory<\s*\w+,\s*|^export default function \w+(?:<[^>]*>)?\(\s*config: )(\w+)/m.exec(
    text,
  )?.[1]
  return types.get(type ?? "") ?? []
}

/** The members of every exported options type. @param {Source[]} sources @returns {Map<string, Option[]>} */
function optionsIn(sources) {
  const types = sources.flatMap(({ text }) => [
    ...text.matchAll(/^export (?:interface|type) (?<name>\w+(?:Options|Config))\b(?<body>[^]*?)^(?=\S)/gm),
  ])
  const bodies = new Map(types.map(({ groups }) => [groups?.["name"] ?? "", groups?.["body"] ?? ""]))
  return new Map(
    [...bodies].map(([name, body]) => [name, membersOf(bodies.get(/^ = (\w+)$/m.exec(body)?.[1] ?? "") ?? body)]),
  )
}

/** @param {string} body @returns {Option[]} */
function membersOf(body) {
  const members = body.matchAll(
    /(?:\/\*\*(?<comment>[^]*?)\*\/\s*)?readonly (?<name>\w+)\??:(?: \{ readonly (?<inner>\w+))?/g,
  )
  return [...members].map(({ groups }) => {
    const { comment = "", name = "", inner } = groups ?? {}
    return {
      name: inner === undefined ? name : `${name}.${inner}`,
      required: /^[\s*]*Required\. /.test(comment),
      isVariable: name === "apiKey" || comment.includes("`AUTH_"),
    }
  })
}

/** @param {Source} source @param {string} problem */
function fault({ path }, problem) {
  return new Failure(`${shown(path)} ${problem}. docs/contributing/adding-a-provider.md shows a complete file.`)
}
