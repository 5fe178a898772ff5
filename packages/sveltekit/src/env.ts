import { type Env, processEnv } from "@latchkey/core/integration"
import { VERSION } from "@sveltejs/kit"
import { dev } from "$app/env"
import * as declared from "$app/env/private"

/**
 * The variables that SvelteKit 2 reads, in development also from `.env`. It throws if only declared variables are allowed.
 * SvelteKit 3 has this module too, but warns about it and has nothing there that `$app/env/private` doesn't have.
 */
const read: Env = VERSION.startsWith("2.")
  ? await import("$env/dynamic/private").then(
      ({ env }) => env,
      () => ({}),
    )
  : {}

/** An environment that reads each variable when it's asked for: from the platform's bindings, SvelteKit, or the process. */
export function environmentOf(platform: { readonly env?: unknown } | undefined): Env {
  const bindings = Object(platform?.env)
  const known = environments.get(bindings) ?? lookIn([bindings, declared, read, processEnv(), defaults])
  environments.set(bindings, known)
  return known
}

const environments = new WeakMap<object, Env>()

/** Workers don't set it. Without it, the engine couldn't know whether the application is in production. */
const defaults: Env = { NODE_ENV: dev ? "development" : "production" }

function lookIn(sources: readonly object[]): Env {
  return new Proxy<Env>(
    {},
    {
      get(_, name) {
        // A binding can be an object, and a declared variable can have any type.
        const found = sources.map((source): unknown => Reflect.get(source, name))
        return found.find((value) => typeof value === "string" && value !== "")
      },
    },
  )
}
