import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { parse } from "jsonc-parser"
import { isFile } from "./files.js"

/** The options of tsconfig.json or jsconfig.json that say how imports are written and resolved. */
export interface CompilerOptions {
  readonly allowImportingTsExtensions?: boolean
  readonly rewriteRelativeImportExtensions?: boolean
  readonly module?: string
  readonly moduleResolution?: string
  /** An absolute path. */
  readonly baseUrl?: string
  readonly paths?: Readonly<Record<string, readonly string[]>>
  /** The folder of the file that has `paths`. They are relative to it if there's no `baseUrl`. */
  readonly pathsFolder?: string
}

/** The options of a file, with those of the files that it extends. */
export function compilerOptionsOf(path: string, depth = 0): CompilerOptions {
  // The parser tolerates comments. Members of other types are ignored where they are used.
  const config = (isFile(path) ? parse(readFileSync(path, "utf8")) : undefined) as
    | { readonly extends?: unknown; readonly compilerOptions?: CompilerOptions }
    | undefined
  const bases = [config?.extends].flat().filter((base): base is string => typeof base === "string")
  const inherited = depth > 8 ? [] : bases.map((base) => compilerOptionsOf(resolved(path, base), depth + 1))
  const own = config?.compilerOptions ?? {}
  return Object.assign({}, ...inherited, own, {
    ...(typeof own.baseUrl === "string" && { baseUrl: join(dirname(path), own.baseUrl) }),
    ...(own.paths !== undefined && { pathsFolder: dirname(path) }),
  }) as CompilerOptions
}

/** The path of a base configuration, which may be in a package. */
function resolved(path: string, base: string): string {
  if (!base.startsWith(".") && !base.startsWith("/")) {
    const require = createRequire(path)
    for (const name of [base, `${base}.json`, `${base}/tsconfig.json`]) {
      try {
        return require.resolve(name)
      } catch {
        // The next name may exist.
      }
    }
    return ""
  }
  const file = join(dirname(path), base)
  return file.endsWith(".json") ? file : `${file}.json`
}
