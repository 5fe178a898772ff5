import { existsSync, readFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"

/** Resolves and writes module specifiers of the application. */
export interface Modules {
  /** The path of the imported file, relative to the root. Undefined for a package. */
  resolve(from: string, specifier: string): string | undefined
  /** The specifier of `to` in the file `from`. It uses an alias if `like` is undefined or uses one. */
  nameFor(from: string, to: string, like: string | undefined): string
}

const extensions = [
  "",
  ".ts",
  ".tsx",
  ".js",
  ".jsx",
  ".mjs",
  ".mts",
  ".cjs",
  ".cts",
  "/index.ts",
  "/index.tsx",
  "/index.js",
]

/** @param exists whether a file exists after the migration */
export function modulesOf(root: string, exists: (path: string) => boolean): Modules {
  const aliases = aliasesIn(root)
  return {
    resolve(from, specifier) {
      const paths = specifier.startsWith(".")
        ? [posix.join(dirname(from), specifier)]
        : aliases
            .filter(({ prefix }) => specifier.startsWith(prefix))
            .map(({ prefix, folder }) => posix.join(folder, specifier.slice(prefix.length)))
      const stems = paths.flatMap((path) => [path, path.replace(/\.[cm]?js$/, "")])
      return stems.flatMap((stem) => extensions.map((extension) => stem + extension)).find(exists)
    },
    nameFor(from, to, like) {
      const stem = to.replace(/\.[cm]?[jt]sx?$/, "")
      const alias = aliases.find(
        ({ prefix, folder }) =>
          stem.startsWith(folder) &&
          (like === undefined ? prefix !== "" : !like.startsWith(".") && like.startsWith(prefix)),
      )
      if (alias !== undefined) return alias.prefix + stem.slice(alias.folder.length)
      const path = posix.relative(dirname(from), stem)
      const extension = like?.startsWith(".") === true && like.endsWith(".js") ? ".js" : ""
      return (path.startsWith(".") ? path : `./${path}`) + extension
    },
  }
}

interface Alias {
  /** Such as `@/`. Empty for `baseUrl`. */
  readonly prefix: string
  /** Such as `src/`. Empty for the root. */
  readonly folder: string
}

/** The aliases in tsconfig.json or jsconfig.json, which may contain comments. The longest prefix comes first. */
function aliasesIn(root: string): Alias[] {
  const path = ["tsconfig.json", "jsconfig.json"].map((name) => join(root, name)).find(existsSync)
  const text = path === undefined ? "" : readFileSync(path, "utf8")
  const baseUrl = /"baseUrl"\s*:\s*"([^"]*)"/.exec(text)?.[1]
  const folderOf = (below: string) => {
    const folder = posix.join(baseUrl ?? "", below)
    return folder === "." || folder === "./" ? "" : folder
  }
  const aliases = [...text.matchAll(/"([^"*\s]+\/)\*"\s*:\s*\[\s*"([^"*]*)\*"/g)].map(
    ([, prefix = "", folder = ""]) => ({
      prefix,
      folder: folderOf(folder),
    }),
  )
  const base = baseUrl === undefined ? [] : [{ prefix: "", folder: folderOf("/").replace(/^\//, "") }]
  return [...aliases.toSorted((a, b) => b.prefix.length - a.prefix.length), ...base]
}
