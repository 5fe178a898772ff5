import { requestEvent } from "./request-event.js"

type Module = Readonly<Record<string, unknown>>
type Function = (...args: readonly unknown[]) => unknown

const nothing = () => undefined

/** The result of `QwikAuth$()`. */
const plugin = { onRequest: nothing, useSession: nothing, useSignIn: nothing, useSignOut: nothing }

/** The packages of Qwik 1 and 2. Without Qwik's optimizer, their functions throw as soon as a file is loaded. */
const packages = ["@builder.io/qwik", "@builder.io/qwik-city", "@qwik.dev/core", "@qwik.dev/router"]

/**
 * Modules that replace Qwik and its integration while a configuration file runs.
 *
 * @param exported what the integration exports besides `QwikAuth$`
 */
export function qwikModules(configurations: unknown[], exported: Module): Record<string, Module> {
  const record: Function = (configure) => {
    configurations.push(
      typeof configure === "function" ? () => Reflect.apply(configure, undefined, [requestEvent()]) : configure,
    )
    return plugin
  }
  const ours = { ...exported, QwikAuth$: record, QwikAuthQrl: record, setEnvDefaults: nothing }
  const build = { isServer: true, isBrowser: false, isDev: false }
  const qwik = packages.map((name) => [name, anything] as const)
  return {
    ...Object.fromEntries(qwik),
    ...Object.fromEntries(packages.map((name) => [`${name}/build`, build])),
    "@latchkey/qwik": ours,
    "@auth/qwik": ours,
  }
}

/** A module with every export: `$` returns its argument, and the others do nothing. */
const anything: Module = new Proxy<Record<string, unknown>>(
  {},
  {
    get: (_, name) => (name === "$" ? (value: unknown) => value : name === "then" ? undefined : nothing),
    has: () => true,
  },
)
