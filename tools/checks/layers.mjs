// Which file may import which: layers inside core, no cycles anywhere, packages that point one way. Types count too.
import { readFileSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import { builtinModules } from "node:module"
import { Failure } from "../shell.mjs"
import { entriesOf, filesBelow, packages, shown } from "../workspace.mjs"
import { importsOf } from "./imports.mjs"
import { cyclesIn } from "./cycles.mjs"

/** @typedef {import("../workspace.mjs").Package} Package */
/** @typedef {{ from: string, to: string, typeOnly: boolean, line: number }} Edge files, as absolute paths */

/** A file of core imports only from its own row or from rows below it. */
const layers = [
  ["index", "adapters", "env", "jwt", "node-http", "types"],
  ["server"],
  ["session-reader"],
  ["auth", "visitor"],
  ["config"],
  ["routes"],
  ["endpoints", "signin"],
  ["methods", "session"],
  ["http", "limits", "crypto", "pages", "events", "logger", "per-store", "turns"],
  ["model", "providers", "mail"],
  ["errors", "runtime"],
]

/** What is allowed against that order, for types only. An exception that nothing uses any more is an error. */
const exceptions = [
  { from: "model/", to: "logger", why: "the compiled configuration holds the logger" },
  { from: "model/", to: "crypto/vault", why: "and the vault" },
  { from: "runtime", to: "model/provider", why: "`Fetch` is part of the public vocabulary" },
]

/** A row of its own rule: provider files are data, and must not pull the engine into a bundle. */
const providersMayImport = ["providers", "mail", "model", "errors", "runtime"]

/** Which of our packages a package may point at, besides itself; tests may also use `adapter-kit` and `testing`. */
const siblings = /** @type {Record<string, readonly string[]>} */ ({
  core: [],
  client: ["core"],
  react: ["client", "core"],
  next: ["core", "react"],
})
const usualSiblings = ["core", "client"]

export async function checkImports() {
  const edges = packages().flatMap(edgesOf)
  const problems = [
    ...edges.flatMap(againstLayers),
    ...unusedExceptions(edges),
    ...packages().flatMap(againstPackages),
    ...againstCycles(edges),
  ]
  if (problems.length > 0) throw new Failure(problems.join("\n"))
}

/** Imports between the source files of one package. @param {Package} pkg @returns {Edge[]} */
function edgesOf(pkg) {
  return sourcesOf(pkg).flatMap((from) =>
    importsIn(from).flatMap(({ specifier, typeOnly, line }) => {
      const to = resolve(pkg, from, specifier)
      return to === undefined ? [] : [{ from, to, typeOnly, line }]
    }),
  )
}

/** @param {Package} pkg */
function sourcesOf({ folder }) {
  return filesBelow(join(folder, "src")).filter((path) => /\.tsx?$/.test(path) && !/\.(test|d)\.tsx?$/.test(path))
}

/** @param {string} path */
function importsIn(path) {
  return importsOf(readFileSync(path, "utf8"))
}

/** The source file that a specifier means; undefined for another package. @param {Package} pkg @param {string} from @param {string} specifier */
function resolve(pkg, from, specifier) {
  if (specifier === "#crypto") return join(pkg.folder, "src", "crypto", "platform.ts")
  if (specifier.startsWith(".")) return join(dirname(from), specifier.replace(/\.js$/, ".ts").replace(/\.jsx$/, ".tsx"))
  return entriesOf(pkg).find((entry) => entry.specifier === specifier)?.source
}

/** `packages/core/src/http/cookie.ts` is `http/cookie`; undefined for what is not in core. @param {string} path */
function nameInCore(path) {
  return /^packages\/core\/src\/(.*)\.tsx?$/.exec(shown(path))?.[1]
}

/** @param {string} name */
function rowOf(name) {
  return layers.findIndex((row) => row.includes(partOf(name)))
}

/** The folder, or the file beside the folders. @param {string} name */
function partOf(name) {
  return name.split("/")[0] ?? name
}

/** @param {Edge} edge */
function againstLayers(edge) {
  const from = nameInCore(edge.from)
  const to = nameInCore(edge.to)
  if (from === undefined || to === undefined || exceptionFor(edge) !== undefined) return []
  const problem = objection(from, to)
  return problem === undefined ? [] : [`${shown(edge.from)}:${edge.line} imports ${to}: ${problem}`]
}

/** @param {string} from @param {string} to */
function objection(from, to) {
  if (rowOf(from) < 0) return `"${partOf(from)}" belongs to no layer; give it a row in tools/checks/layers.mjs`
  if (isSurface(to) && !isSurface(from))
    return "nothing inside imports what is there for users; move what both need downwards"
  if (partOf(from) === "providers" && !providersMayImport.includes(partOf(to))) {
    return `a provider may import only ${providersMayImport.join(", ")}`
  }
  return rowOf(to) < rowOf(from) ? `"${to}" is above "${from}"; move what both need downwards` : undefined
}

/** @param {string} name */
function isSurface(name) {
  return layers[0]?.includes(name) === true
}

/** @param {Edge} edge */
function exceptionFor({ from, to, typeOnly }) {
  if (!typeOnly) return undefined
  const [source, target] = [nameInCore(from) ?? "", nameInCore(to) ?? ""]
  return exceptions.find(
    (rule) => (rule.from.endsWith("/") ? source.startsWith(rule.from) : source === rule.from) && target === rule.to,
  )
}

/** @param {Edge[]} edges */
function unusedExceptions(edges) {
  const used = new Set(edges.map(exceptionFor))
  return exceptions
    .filter((rule) => !used.has(rule))
    .map(({ from, to }) => `tools/checks/layers.mjs allows ${from} → ${to}, which nothing uses: take the exception out`)
}

/**
 * Cycles among model/ are the vocabulary's own (a provider names a method, a method names a provider): allowed for types.
 * @param {Edge[]} edges
 */
function againstCycles(edges) {
  const counted = edges.filter((edge) => exceptionFor(edge) === undefined && !(isModel(edge) && edge.typeOnly))
  return cyclesIn(counted).map(
    (cycle) => `import cycle: ${cycle.map(shown).join(" → ")}; move what they share into a file of its own`,
  )
}

/** @param {Edge} edge */
function isModel({ from, to }) {
  return [from, to].every((path) => nameInCore(path)?.startsWith("model/") === true)
}

/** @param {Package} pkg */
function againstPackages(pkg) {
  const { manifest, short, folder } = pkg
  const allowed = siblings[short] ?? usualSiblings
  const declared = [...Object.keys(manifest.dependencies ?? {}), ...Object.keys(manifest.peerDependencies ?? {})]
  const direction = declared
    .filter((name) => name.startsWith("@latchkey/") && !allowed.includes(name.slice("@latchkey/".length)))
    .map((name) => `packages/${short} depends on ${name}: it may use only ${allowed.join(", ") || "no sibling"}`)
  const undeclared = sourcesOf(pkg).flatMap((path) =>
    importsIn(path)
      .map(({ specifier, line }) => ({ name: packageName(specifier), line }))
      .filter(({ name }) => name !== undefined && name !== manifest.name && !declared.includes(name))
      .filter(({ name }) => !declared.includes(`@types/${name}`))
      .map(
        ({ name, line }) =>
          `${relative(dirname(dirname(folder)), path)
            .split(sep)
            .join("/")}:${line} imports ${name}, which package.json does not declare`,
      ),
  )
  return [...direction, ...undeclared]
}

/** `@scope/name/sub` is of `@scope/name`; undefined for what is not a package. @param {string} specifier */
function packageName(specifier) {
  if (/^[.#]|^node:/.test(specifier) || builtinModules.includes(specifier)) return undefined
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/")
}
