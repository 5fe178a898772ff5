import type { GivenProvider, Provider } from "../../src/model/given-provider.js"
import type { OAuthProvider } from "../../src/model/oauth-provider.js"
import { compile } from "../compile.js"
import { client, type Facts } from "./facts.js"

export type Factory = (options: object) => GivenProvider

/** The default export of the module, imported the way an application does. */
export async function load({ module }: Pick<Facts, "module">): Promise<Factory> {
  const loaded: unknown = await import(/* @vite-ignore */ `@latchkey/core/providers/${module}`)
  const found = typeof loaded === "object" && loaded !== null && "default" in loaded ? loaded.default : undefined
  if (typeof found !== "function") throw new Error(`providers/${module} has no default export to call`)
  return found as Factory
}

/** The provider with the client and the options of the facts. */
export function given(facts: Facts, factory: Factory): GivenProvider {
  const { clientSecret, ...open } = client
  return factory({ ...open, ...(facts.token.auth === "none" ? {} : { clientSecret }), ...facts.options })
}

const quiet = { error: () => {}, warn: () => {}, debug: () => {} }

/** The provider as the engine sees it. */
export function resolved(provider: Provider, id: string): OAuthProvider {
  const { providers } = compile({ secret: "only-for-tests-0123456789abcdefghij", logger: quiet, providers: [provider] })
  const found = providers.get(id)
  if (found?.type === "oauth" || found?.type === "oidc") return found
  throw new Error(`There is no OAuth provider "${id}"`)
}
