import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
// TypeScript 7 has no JavaScript API, and no `moduleResolution: "node"`.
import ts from "typescript-5"

export { ts }
export const root: string = fileURLToPath(new URL("../..", import.meta.url))

interface Target {
  readonly types: string
}

/** The declaration of every sub-path that a package exports, with patterns such as `./providers/*` resolved. */
export function declarationsOf(folder: string): ReadonlyMap<string, string> {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const { exports } = manifest as { exports: Record<string, string | Target> }
  const named = Object.entries(exports).flatMap(([subpath, target]) =>
    typeof target === "string" ? [] : [[subpath, target.types] as const],
  )
  const found = named.flatMap(([subpath, types]) => {
    if (!subpath.includes("*")) return [[subpath, join(folder, types)] as const]
    const [before = "", after = ""] = types.split("*")
    return filesIn(join(folder, before))
      .filter((name) => name.endsWith(after))
      .map((name) => [subpath.replace("*", name.slice(0, -after.length)), join(folder, before, name)] as const)
  })
  // A sub-path with a line of its own wins over a pattern.
  return new Map([...found, ...found.filter(([subpath]) => subpath in exports)])
}

function filesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}

/** The folder of a package that a test folder depends on. */
export function folderOf(name: string): string {
  return realpathSync(join(dirname(fileURLToPath(import.meta.url)), "node_modules", name))
}

export interface Names {
  readonly values: ReadonlySet<string>
  readonly types: ReadonlySet<string>
}

/** Returns a function that lists what a declaration file exports. */
export function readExports(files: readonly string[]): (file: string) => Names {
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ESNext,
    skipLibCheck: true,
    strict: true,
    types: [],
  })
  const checker = program.getTypeChecker()
  return (file) => {
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    const symbols = module ? checker.getExportsOfModule(module) : []
    const named = (kind: ts.SymbolFlags) =>
      new Set(symbols.filter((symbol) => (flagsOf(symbol, checker) & kind) !== 0).map(({ name }) => name))
    return { values: named(ts.SymbolFlags.Value), types: named(ts.SymbolFlags.Type) }
  }
}

function flagsOf(symbol: ts.Symbol, checker: ts.TypeChecker): ts.SymbolFlags {
  if ((symbol.flags & ts.SymbolFlags.Alias) === 0) return symbol.flags
  const target = checker.getAliasedSymbol(symbol)
  // An alias to nothing is a type that a declaration names but doesn't have.
  return checker.isUnknownSymbol(target) ? ts.SymbolFlags.TypeAlias : target.flags
}
