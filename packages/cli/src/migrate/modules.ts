import { existsSync, readFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"

/** Resolves and writes module specifiers of the application. */
export interface Modules {
  /** The path of the imported file, relative to the root. Undefined for a package. */
  resolve(from: string, specifier: string): string | undefined
  /** The specifier of `to` in the file `from`. It uses an alias if `like` is undefined or uses one. */
  nameFor(from: string, to: string, like: string | undefined): string
}

const extensions = ["", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".mts", "/index.ts", "/index.tsx", "/index.js"]

/** @param exists whether a file exists after the migration */
export function modulesOf(root: string, exists: (path: string) => boolean): Modules {
  const aliases = aliasesIn(root)
  return {
    resolve(from, specifier) {
      const alias = aliases.find(({ prefix }) => specifier.startsWith(prefix))
      if (alias === undefined && !specifier.startsWith(".")) return undefined
      const path =
        alias === undefined
          ? posix.join(dirname(from), specifier)
          : posix.join(alias.folder, specifier.slice(alias.prefix.length))
      const stems = [path, path.replace(/\.js$/, "")]
      return stems.flatMap((stem) => extensions.map((extension) => stem + extension)).find(exists)
    },
    nameFor(from, to, like) {
      const stem = to.replace(/\.[cm]?[jt]sx?$/, "")
      const alias = aliases.find(
        ({ prefix, folder }) => stem.startsWith(folder) && (like === undefined || like.startsWith(prefix)),
      )
      if (alias !== undefined) return alias.prefix + stem.slice(alias.folder.length)
      const path = posix.relative(dirname(from), stem)
      const extension = like?.startsWith(".") === true && like.endsWith(".js") ? ".js" : ""
      return (path.startsWith(".") ? path : `./${path}`) + extension
    },
  }
}

interface Alias {
  /** Such as `@/`. */
  readonly prefix: string
  /** Such as `src/`. Empty for the root. */
  readonly folder: string
}

/** The aliases in tsconfig.json or jsconfig.json, which may contain comments. */
function aliasesIn(root: string): Alias[] {
  const path = ["tsconfig.json", "jsconfig.json"].map((name) => join(root, name)).find(existsSync)
  const text = path === undefined ? "" : readFileSync(path, "utf8")
  return [...text.matchAll(/"([^"*\s]+\/)\*"\s*:\s*\[\s*"(?:\.\/)?([^"*]*)\*"/g)].map(
    ([, prefix = "", folder = ""]) => ({
      prefix,
      folder,
    }),
  )
}
