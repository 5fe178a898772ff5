import { frameworks } from "../project/framework.js"
import { requestEvent } from "./request-event.js"

type Module = Readonly<Record<string, unknown>>

/**
 * Modules that replace the packages for frameworks, and the modules that only a framework's bundler provides, while a
 * configuration file runs.
 *
 * @param known packages with a replacement of their own
 * @param exported what every package for a framework exports
 */
export function frameworkModules(
  configurations: unknown[],
  exported: Module,
  known: ReadonlySet<string>,
): Record<string, Module> {
  const names = frameworks.flatMap(({ integration, formerly }) => [integration, formerly ?? integration])
  const ours = recordingModule(configurations, exported)
  const packages = names.filter((name) => !known.has(name)).map((name) => [name, ours] as const)
  return {
    ...Object.fromEntries(bundled.map((name) => [name, inert])),
    ...environments,
    ...Object.fromEntries(packages),
  }
}

const environment = new Proxy({}, { get: (_, name) => process.env[String(name)], has: () => true })

const environments: Readonly<Record<string, Module>> = {
  "$env/dynamic/private": { env: environment },
  "$env/dynamic/public": { env: environment },
  "$env/static/private": environment,
  "$env/static/public": environment,
  "astro:env/server": new Proxy(
    {},
    {
      get: (_, name) =>
        name === "getSecret" ? (variable: string) => process.env[variable] : process.env[String(name)],
      has: () => true,
    },
  ),
  "$app/environment": { browser: false, building: false, dev: true, version: "" },
}

/** Modules that exist in a build only, and packages that fail outside of their framework. */
const bundled = [
  "$app/navigation",
  "$app/paths",
  "$app/server",
  "$app/state",
  "$app/stores",
  "#imports",
  "astro:actions",
  "astro:middleware",
  "@solidjs/router",
  "@solidjs/start",
  "@solidjs/start/http",
  "@solidjs/start/middleware",
  "@solidjs/start/server",
]

/** A value that can be called, constructed and read to any depth. */
const anything: unknown = new Proxy(function () {}, {
  apply: () => anything,
  construct: () => Object(anything),
  // A promise would wait for it.
  get: (_, name) => (name === "then" || typeof name === "symbol" ? undefined : anything),
})

/** A module with every export. */
const inert: Module = new Proxy<Record<string, unknown>>({}, { get: (_, name) => memberOf(name), has: () => true })

function memberOf(name: string | symbol): unknown {
  return name === "then" || typeof name === "symbol" ? undefined : anything
}

/** A module with every export. Functions record a configuration that they get. */
function recordingModule(configurations: unknown[], exported: Module): Module {
  const record = (given: readonly unknown[]) => {
    for (const one of given) {
      if (typeof one === "function" && one !== anything)
        configurations.push(withModules(() => Reflect.apply(one, undefined, [requestEvent()]), given))
      else if (isConfiguration(one)) configurations.push(withModules(one, given))
    }
    return anything
  }
  const recording: unknown = new Proxy(function () {}, {
    apply: (_, __, given) => record(given),
    construct: (_, given) => Object(record(given)),
    get: (_, name) => (name === "then" || typeof name === "symbol" ? undefined : recording),
  })
  return new Proxy<Record<string, unknown>>(
    {},
    {
      get: (_, name) => (typeof name === "string" && name in exported ? exported[name] : memberOf(name) && recording),
      has: () => true,
    },
  )
}

/** The modules may be in another argument than the configuration. */
export function withModules(configuration: unknown, given: readonly unknown[]): unknown {
  const lists = given.map((each): unknown => Reflect.get(Object(each), "modules"))
  const modules = lists.find((list) => Array.isArray(list))
  if (modules === undefined) return configuration
  if (typeof configuration !== "function") return { ...Object(configuration), modules }
  return async (...args: readonly unknown[]): Promise<unknown> => ({
    ...Object(await Reflect.apply(configuration, undefined, args)),
    modules,
  })
}

function isConfiguration(value: unknown): boolean {
  return typeof value === "object" && value !== null && "providers" in value
}
