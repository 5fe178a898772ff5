import { realpathSync } from "node:fs"
import { register } from "node:module"
import { pathToFileURL } from "node:url"

type Modules = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** What the hook knows. It runs in another thread, so it gets no functions. */
export interface Virtual {
  /** The URL of the application's folder. */
  readonly root: string
  /** The source of each module by its name. */
  readonly sources: Readonly<Record<string, string>>
}

const shared = "latchkey.virtualModules"

/**
 * Replaces modules in native imports of the application. jiti imports an ES module natively if it's JavaScript, and then
 * ignores its option `virtualModules`.
 */
export function registerVirtualModules(root: string, modules: Modules): void {
  Reflect.set(globalThis, Symbol.for(shared), modules)
  const sources = Object.entries(modules).map(([name, exports]) => [name, sourceOf(name, Object.keys(exports))])
  const data: Virtual = { root: pathToFileURL(`${realpathSync(root)}/`).href, sources: Object.fromEntries(sources) }
  register("./virtual-modules-hook.js", import.meta.url, { data })
}

/** A module that exports what is in the memory of this thread. */
function sourceOf(name: string, exported: readonly string[]): string {
  const lines = exported.map((each, index) =>
    each === "default"
      ? "export default found.default"
      : `const value${index} = found[${JSON.stringify(each)}]; export { value${index} as ${JSON.stringify(each)} }`,
  )
  return [`const found = globalThis[Symbol.for("${shared}")][${JSON.stringify(name)}]`, ...lines].join("\n")
}
