/**
 * State that this process has once. A bundler may copy this module, for instance into the pages and into the route
 * handlers of a Next.js app, and a variable of the module would then exist once per copy.
 */
export function processState<T>(name: string, create: () => T): T {
  const key = Symbol.for(`@latchkey/core/${name}`)
  const states = globalThis as { [state: symbol]: unknown }
  // The symbol belongs to this package and each name to one type.
  return (states[key] ??= create()) as T
}
