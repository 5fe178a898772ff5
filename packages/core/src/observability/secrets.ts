import type { AuthConfig } from "../model/config.js"

/** The part of a configuration that has secrets. */
export type Secretive = Partial<Pick<AuthConfig, "secret" | "jwt">> & {
  /** As configured or resolved. */
  readonly providers?: readonly object[]
}

/** A shorter value could be part of an ordinary word. */
const minLength = 8

/** The secrets of a configuration, longest first, so that one that contains another is removed whole. */
export function secretsOf({ secret, jwt, providers }: Secretive): readonly string[] {
  const list: readonly unknown[] = Array.isArray(providers) ? providers : []
  const found: readonly unknown[] = [secret, jwt?.secret, ...list.flatMap(clientSecrets)].flat()
  const texts = found.filter((value): value is string => typeof value === "string" && value.length >= minLength)
  return [...new Set(texts)].toSorted((one, other) => other.length - one.length)
}

function clientSecrets(provider: unknown): unknown[] {
  if (typeof provider !== "object" || provider === null) return []
  const own = [Reflect.get(provider, "clientSecret"), Reflect.get(provider, "apiKey")]
  return "options" in provider ? [...own, ...clientSecrets(provider.options)] : own
}
