import type { InitializeHook, ResolveHook } from "node:module"
import type { Virtual } from "./virtual-modules.js"

let virtual: Virtual = { root: "", sources: {} }

export const initialize: InitializeHook<Virtual> = (given) => {
  virtual = given
}

/** Modules that the application itself imports. Its packages get the real ones. */
export const resolve: ResolveHook = (specifier, context, nextResolve) => {
  const source = isOwn(context.parentURL) ? virtual.sources[specifier] : undefined
  if (source === undefined) return nextResolve(specifier, context)
  return { url: `data:text/javascript,${encodeURIComponent(source)}`, format: "module", shortCircuit: true }
}

function isOwn(url: string | undefined): boolean {
  return url !== undefined && url.startsWith(virtual.root) && !url.includes("/node_modules/")
}
