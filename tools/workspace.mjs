import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { capture } from "./shell.mjs"

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {boolean} [private]
 * @property {{ type: string, url: string }} [repository]
 * @property {string} [main]
 * @property {string} [types]
 * @property {Record<string, Record<string, readonly string[]>>} [typesVersions]
 * @property {Record<string, string | { types: string, default: string, require?: { types: string, default: string } }>} [exports]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [devDependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, { optional?: boolean }>} [peerDependenciesMeta]
 *
 * @typedef {object} Package
 * @property {string} folder absolute
 * @property {string} short the name of the folder, such as `core`
 * @property {Manifest} manifest
 *
 * @typedef {object} Entry a module that users can import
 * @property {string} specifier such as `@latchkey/core/jwt`
 * @property {string} source absolute path below `src`
 * @property {string} types absolute path of the built `.d.ts`
 *
 * @typedef {object} Reexport an entry that leads to one of core
 * @property {string} specifier such as `@latchkey/next/providers/github`
 * @property {string} from such as `@latchkey/core/providers/github`
 * @property {string} source absolute path of the source in core
 * @property {string} built absolute path of its file in `dist`, without an extension
 */

/** @param {string} path @returns {Manifest} */
export function readManifest(path) {
  return JSON.parse(readFileSync(path, "utf8"))
}

/** The absolute paths of the workspace packages in `packages`, `examples` and `tests`, and of `docs` and `site`. */
export function workspaceFolders() {
  const groups = ["packages", "examples", "tests"].flatMap((group) => subfolders(join(root, group)))
  return [...groups, join(root, "docs"), join(root, "site")].filter((folder) =>
    existsSync(join(folder, "package.json")),
  )
}

/** The packages to publish, in alphabetical order. @returns {Package[]} */
export function packages() {
  return subfolders(join(root, "packages"))
    .filter((folder) => existsSync(join(folder, "package.json")))
    .map((folder) => ({
      folder,
      short: relative(join(root, "packages"), folder),
      manifest: readManifest(join(folder, "package.json")),
    }))
    .filter(({ manifest }) => manifest.private !== true)
}

/**
 * The entries of a package that have a source, with patterns such as `./providers/*` resolved to the files in `src`.
 * @param {Package} pkg
 * @returns {Entry[]}
 */
export function entriesOf({ folder, manifest }) {
  return Object.entries(manifest.exports ?? {}).flatMap(([subpath, target]) => {
    if (typeof target === "string") return []
    const specifier = manifest.name + subpath.slice(1)
    const source = sourceOf(target.default)
    if (!subpath.includes("*")) return existsSync(join(folder, source)) ? [entry(folder, specifier, source)] : []
    return matches(folder, source).map((part) => entry(folder, specifier.replace("*", part), source.replace("*", part)))
  })
}

/**
 * The entries of a package without a source: each re-exports the entry of `@latchkey/core` with the same name.
 * @param {Package} pkg
 * @param {string} [core] the folder of `@latchkey/core`
 * @returns {Reexport[]}
 */
export function reexportsOf(pkg, core = join(root, "packages", "core")) {
  const { folder, manifest } = pkg
  const own = new Set(entriesOf(pkg).map(({ specifier }) => specifier))
  return Object.entries(manifest.exports ?? {}).flatMap(([subpath, target]) => {
    if (typeof target === "string" || subpath === "." || manifest.name === coreName) return []
    return coreEntriesOf(core, subpath)
      .map(({ specifier, source, part }) => ({
        specifier: specifier.replace(coreName, manifest.name),
        from: specifier,
        source,
        built: join(folder, target.default.replace("*", part).replace(/\.js$/, "")),
      }))
      .filter(({ specifier }) => !own.has(specifier))
  })
}

const coreName = "@latchkey/core"

/**
 * The entries of core behind one subpath of `exports`, with the value of `*` in each. A pattern also finds the subpaths
 * that have a line of their own in core.
 * @param {string} folder @param {string} subpath
 */
function coreEntriesOf(folder, subpath) {
  const exports = readManifest(join(folder, "package.json")).exports ?? {}
  const [before = "", after = ""] = subpath.split("*")
  const named = Object.entries(exports).filter(([key]) => {
    if (!subpath.includes("*")) return key === subpath
    return !key.includes("*") && key.startsWith(before) && key.endsWith(after) && key.length > subpath.length - 1
  })
  const entries = named.flatMap(([key, target]) => {
    if (typeof target === "string") return []
    const source = sourceOf(target.default)
    const part = subpath.includes("*") ? key.slice(before.length, key.length - after.length) : ""
    return existsSync(join(folder, source)) ? [{ ...entry(folder, coreName + key.slice(1), source), part }] : []
  })
  const pattern = exports[subpath]
  if (!subpath.includes("*") || pattern === undefined || typeof pattern === "string") return entries
  const source = sourceOf(pattern.default)
  const found = matches(folder, source).map((part) => ({
    ...entry(folder, coreName + subpath.slice(1).replace("*", part), source.replace("*", part)),
    part,
  }))
  return [...entries, ...found]
}

/** `./dist/x.js` comes from `src/x.ts`. @param {string} built */
export function sourceOf(built) {
  return built.replace(/^\.\/dist\//, "src/").replace(/\.js$/, ".ts")
}

/** @param {string} folder @param {string} specifier @param {string} source @returns {Entry} */
function entry(folder, specifier, source) {
  const types = source.replace(/^src\//, "dist/").replace(/\.ts$/, ".d.ts")
  return { specifier, source: join(folder, source), types: join(folder, types) }
}

/** The values of `*` in `src/providers/*.ts`. @param {string} folder @param {string} pattern */
function matches(folder, pattern) {
  const [before = "", after = ""] = pattern.split("*")
  return filesBelow(join(folder, before))
    .map((path) => relative(join(folder, before), path).split(sep).join("/"))
    .filter((path) => path.endsWith(after) && !path.endsWith(".test.ts") && path !== `index${after}`)
    .map((path) => path.slice(0, -after.length))
}

/** Absolute paths of all files below a folder, sorted. A missing folder has none. @param {string} folder @returns {string[]} */
export function filesBelow(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== "node_modules" && name !== ".git")
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((item) => {
      const path = join(folder, item.name)
      return item.isDirectory() ? filesBelow(path) : [path]
    })
}

/** Absolute paths of the text files that git tracks or would track. Without git, everything outside `dist`. */
export async function textFiles() {
  const listed = await capture("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: root }).catch(() => ({
    code: 1,
    stdout: "",
  }))
  const paths =
    listed.code === 0
      ? listed.stdout.split("\0").map((name) => join(root, name))
      : filesBelow(root).filter((path) => !/[\\/]dist[\\/]/.test(path))
  return paths.filter((path) => isText.test(path) && existsSync(path))
}

const isText = /\.(?:[cm]?[jt]sx?|json|ya?ml|md|css|html|sh)$|[\\/](?:run|\.npmrc|\.gitignore)$/

/** A path for messages: relative to the root, with slashes. @param {string} path */
export function shown(path) {
  return relative(root, path).split(sep).join("/")
}

/** @param {string} folder */
function subfolders(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((item) => item.isDirectory())
    .map((item) => join(folder, item.name))
    .toSorted()
}
