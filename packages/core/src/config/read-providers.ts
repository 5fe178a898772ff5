import { AuthError } from "../errors.js"
import type { AuthConfig } from "../model/config.js"
import type { Provider, ProviderConfig } from "../model/given-provider.js"
import { invalid, type Problem } from "./check/problem.js"
import { mergedProvider } from "./providers.js"

/** A provider with its options merged, and where in the configuration it stands. */
export interface ReadProvider {
  readonly path: string
  readonly provider: ProviderConfig
}

/** Makes every provider once; one that cannot be made is a problem among others. */
export function readProviders(config: AuthConfig): {
  providers: readonly ReadProvider[]
  problems: readonly Problem[]
} {
  // Whoever writes no TypeScript may have left it out.
  const given: unknown = config.providers
  if (!Array.isArray(given)) {
    return {
      providers: [],
      problems: [invalid("providers", "The list of providers is missing", "Set `providers`, if only to []")],
    }
  }
  const providers: ReadProvider[] = []
  const problems: Problem[] = []
  for (const [index, each] of config.providers.entries()) {
    const read = readProvider(each, `providers[${index}]`)
    if ("provider" in read) providers.push(read)
    else problems.push(read)
  }
  return { providers, problems }
}

const types: ReadonlySet<string> = new Set(["oauth", "oidc", "email", "credentials", "webauthn"])

function readProvider(given: Provider, path: string): ReadProvider | Problem {
  try {
    const provider = mergedProvider(given)
    if (types.has(provider.type)) return { path, provider }
    return invalid(path, "The provider has no known `type`", "Use oauth, oidc, email, credentials or webauthn")
  } catch (error) {
    // Only our own messages are known to be free of secrets.
    const reason = error instanceof AuthError ? error.message : "it threw an error without options"
    return { ...invalid(path, `The provider cannot be made: ${reason}`, "Call it with its options"), type: "AuthError" }
  }
}
