import type { Env } from "@latchkey/core/env"
import type { EnvGetter } from "./model.js"

/** Variables by name, read when they're needed: some platforms can't list them. */
export function recordOf(env: EnvGetter): Env {
  return new Proxy<Record<string, string | undefined>>({}, { get: (_, name) => env.get(String(name)) })
}

/** The same, with the variable of Qwik's Node server for the URL of the site. */
export function recordFor(env: EnvGetter, url: URL): Env {
  const variables = recordOf(env)
  // Elsewhere, a variable of this name may mean something else.
  const isOwn = variables["ORIGIN"] === url.origin && variables["AUTH_URL"] === undefined
  return isOwn ? recordOf({ get: (name) => (name === "AUTH_URL" ? url.origin : env.get(name)) }) : variables
}
