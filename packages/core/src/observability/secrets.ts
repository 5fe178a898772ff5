import type { AuthConfig } from "../model/config.js"
import { configuredSecrets, type Secret } from "./collect-secrets.js"

/** The part of a configuration that has secrets. */
export type Secretive = Partial<Pick<AuthConfig, "secret" | "jwt">> & {
  /** As configured or resolved. */
  readonly providers?: readonly object[]
}

/** The secrets of a configuration. */
export function secretsOf({ secret, jwt, providers }: Secretive): readonly Secret[] {
  const list: readonly unknown[] = Array.isArray(providers) ? providers : []
  const own: readonly unknown[] = [secret, jwt?.secret].flat()
  const texts = own.filter((value) => typeof value === "string" && value !== "")
  return [...texts.map((text) => ({ text: String(text), isNamed: true })), ...list.flatMap(configuredSecrets)]
}
