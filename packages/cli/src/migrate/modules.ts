import { existsSync, readFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"

/** How the files of an application name each other. */
export interface Modules {
  /** The file that a module is, below the root; undefined for one of node_modules. */
  resolve(from: string, specifier: string): string | undefined
  /** How `from` names the file `to`: with the alias if `like` has it, else relative. */
  nameFor(from: string, to: string, like: string | undefined): string
}

const endings = ["", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".mts", "/index.ts", "/index.tsx", "/index.js"]

/** `exists` tells of the files as they will be. */
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
      return stems.flatMap((stem) => endings.map((ending) => stem + ending)).find(exists)
    },
    nameFor(from, to, like) {
      const stem = to.replace(/\.[cm]?[jt]sx?$/, "")
      const alias = aliases.find(
        ({ prefix, folder }) => stem.startsWith(folder) && (like === undefined || like.startsWith(prefix)),
      )
      if (alias !== undefined) return alias.prefix + stem.slice(alias.folder.length)
      const path = posix.relative(dirname(from), stem)
      const ending = like?.startsWith(".") === true && like.endsWith(".js") ? ".js" : ""
      return (path.startsWith(".") ? path : `./${path}`) + ending
    },
  }
}

interface Alias {
  /** `@/` */
  readonly prefix: string
  /** `src/`, or nothing for the root. */
  readonly folder: string
}

/** Those of tsconfig.json, which may have comments. */
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
