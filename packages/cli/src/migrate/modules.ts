import { dirname, join, posix, relative, sep } from "node:path"
import { compilerOptionsOf } from "../project/compiler-options.js"
import { isFile } from "../project/files.js"
import type { Manifest } from "../project/project.js"

/** Resolves and writes module specifiers of the application. */
export interface Modules {
  /** The path of the imported file, relative to the root. Undefined for a package. */
  resolve(from: string, specifier: string): string | undefined
  /** The specifier of `to` in the file `from`: `like` itself, if it fits. It uses an alias if `like` is undefined or uses one. */
  nameFor(from: string, to: string, like: string | undefined): string
}

const extensions = [".ts", ".tsx", ".js", ".jsx", ".mjs", ".mts", ".cjs", ".cts"]
const endings = ["", ...extensions, ...extensions.map((extension) => `/index${extension}`)]

/** @param exists whether a file exists after the migration */
export function modulesOf(root: string, manifest: Manifest, exists: (path: string) => boolean): Modules {
  const paths = pathsIn(root)
  const aliases = [...importsIn(manifest), ...paths]
  const folders = paths.flatMap(folderAlias)
  const resolve: Modules["resolve"] = (from, specifier) => {
    const found = specifier.startsWith(".")
      ? [posix.join(dirname(from), specifier)]
      : aliases.flatMap((alias) => targetsOf(alias, specifier))
    // `./auth.js` is the name of `auth.ts` in the output.
    const stems = found
      .map((path) => path.replace(/\/$/, ""))
      .flatMap((path) => [path, path.replace(/\.[cm]?jsx?$/, "")])
    return stems.flatMap((stem) => endings.map((ending) => stem + ending)).find(exists)
  }
  const nameOf: Modules["nameFor"] = (from, to, like) => {
    const stem = to.replace(/\.[cm]?[jt]sx?$/, "")
    const alias = folders.find(
      ({ prefix, folder }) =>
        stem.startsWith(folder) &&
        (like === undefined ? prefix !== "" : !like.startsWith(".") && like.startsWith(prefix)),
    )
    if (alias !== undefined) return alias.prefix + stem.slice(alias.folder.length)
    const path = posix.relative(dirname(from), stem)
    const extension = like?.startsWith(".") === true && like.endsWith(".js") ? ".js" : ""
    return (path.startsWith(".") ? path : `./${path}`) + extension
  }
  return {
    resolve,
    nameFor(from, to, like) {
      if (like !== undefined && resolve(from, like) === to) return like
      const name = nameOf(from, to, like)
      const folder = name.replace(/(?<=[^.])\/index$/, "")
      return resolve(from, folder) === to ? folder : name
    },
  }
}

/** `"@/*": ["./src/*"]`. Both sides have at most one `*`. */
interface Alias {
  readonly pattern: string
  /** Relative to the root. */
  readonly targets: readonly string[]
}

/** What a specifier stands for. */
function targetsOf({ pattern, targets }: Alias, specifier: string): readonly string[] {
  const [before = "", after] = pattern.split("*")
  if (after === undefined) return specifier === pattern ? targets : []
  if (!specifier.startsWith(before) || !specifier.endsWith(after)) return []
  const rest = specifier.slice(before.length, specifier.length - after.length)
  return specifier.length < before.length + after.length ? [] : targets.map((target) => target.replace("*", () => rest))
}

/** An alias for a folder, such as `@/` for `src/`. */
function folderAlias({ pattern, targets: [target] }: Alias): { readonly prefix: string; readonly folder: string }[] {
  const isFolder = /^(?:.*\/)?\*$/.test(pattern) && target !== undefined && /^(?:.*\/)?\*$/.test(target)
  return isFolder ? [{ prefix: pattern.slice(0, -1), folder: target.slice(0, -1) }] : []
}

/** `paths` and `baseUrl` of tsconfig.json or jsconfig.json. An exact name comes first, then the longest prefix. */
function pathsIn(root: string): Alias[] {
  const file = ["tsconfig.json", "jsconfig.json"].map((name) => join(root, name)).find(isFile)
  const { paths, pathsFolder = root, baseUrl } = file === undefined ? {} : compilerOptionsOf(file)
  const shown = (target: string) =>
    relative(root, join(baseUrl ?? pathsFolder, target.replace(/^\$\{configDir\}/, root)))
      .split(sep)
      .join("/")
  const aliases = Object.entries(paths ?? {}).map(([pattern, targets]) => ({
    pattern,
    targets: targets.filter((target) => typeof target === "string").map(shown),
  }))
  const prefix = ({ pattern }: Alias) => (pattern.includes("*") ? pattern.indexOf("*") : Number.POSITIVE_INFINITY)
  const base = baseUrl === undefined ? [] : [{ pattern: "*", targets: [shown("*")] }]
  return [...aliases.toSorted((a, b) => prefix(b) - prefix(a)), ...base]
}

/** `imports` of package.json, whose targets may depend on conditions. */
function importsIn({ imports = {} }: Manifest): Alias[] {
  return Object.entries(imports).map(([pattern, target]) => ({
    pattern,
    targets: textsIn(target).map((text) => posix.join(text)),
  }))
}

function textsIn(target: unknown): string[] {
  if (typeof target === "string") return [target]
  return typeof target === "object" && target !== null ? Object.values(target).flatMap(textsIn) : []
}
