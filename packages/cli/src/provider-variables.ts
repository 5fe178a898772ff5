import { variableName } from "@latchkey/core/providers/catalogue"
import type { Entry } from "./catalogue.js"

/** An environment variable for a client, an issuer, an API key or an option of a provider. */
export interface Variable {
  readonly name: string
  /** What to call it in a prompt, such as `Client ID`. */
  readonly label: string
  readonly secret: boolean
  /** The command-line option that sets it. */
  readonly flag?: "clientId" | "clientSecret" | "issuer" | "privateKey"
  /** An example of a value. */
  readonly example?: string | undefined
}

/** The variables to set before users can sign in with a provider. */
export function variablesOf(entry: Entry): Variable[] {
  const { env } = entry
  const optional: readonly (Variable | undefined)[] = [
    env.clientId === undefined
      ? undefined
      : { name: env.clientId, label: "Client ID", secret: false, flag: "clientId" },
    env.clientSecret === undefined || signsSecret(entry)
      ? undefined
      : { name: env.clientSecret, label: "Client secret", secret: true, flag: "clientSecret" },
    env.issuer === undefined || !entry.needs.includes("issuer")
      ? undefined
      : { name: env.issuer, label: "Issuer", secret: false, flag: "issuer", example: entry.issuer },
    ...ownOptions(entry).map((option) => variableOf(entry, option)),
    env.apiKey === undefined ? undefined : keyOf(entry, env.apiKey),
  ]
  return optional.filter((variable) => variable !== undefined)
}

/** The options to call the provider with, as source text. `undefined` if it needs no call. */
export function optionsText(entry: Entry): ((read: (variable: string) => string) => string) | undefined {
  const options = ownOptions(entry)
  if (options.length === 0) return undefined
  return (read) => {
    const written = options.map(
      (option) => `${option}: ${read(variableOf(entry, option).name)} ?? ${JSON.stringify(fallbacks[option] ?? "")}`,
    )
    return `{ ${written.join(", ")} }`
  }
}

/** Used when a build runs without variables. The default is an empty string, but some options must not be empty. */
const fallbacks: Readonly<Record<string, string>> = { server: "smtp://localhost:25" }

/** Required options that a prompt can't ask for. */
export function optionsByHand({ needs }: Entry): string[] {
  return needs.filter((option) => objects.has(option))
}

const objects: ReadonlySet<string> = new Set(["headers", "userinfo"])

/** Required options that the engine doesn't read from the environment. */
function ownOptions({ needs }: Entry): readonly string[] {
  return needs.filter((option) => option !== "issuer" && !objects.has(option))
}

/** Whether the provider signs its client secret with a key, as Apple does. */
export function signsSecret({ needs }: Entry): boolean {
  return needs.includes("keyId")
}

function keyOf(entry: Entry, name: string): Variable {
  if (!signsSecret(entry)) return { name, label: "API key", secret: true }
  return { name, label: "Private key", secret: true, flag: "privateKey" }
}

function variableOf({ id }: Entry, option: string): Variable {
  const words = option.replaceAll(/[A-Z]+/g, " $&").toLowerCase()
  const label = (words.charAt(0).toUpperCase() + words.slice(1)).replace(/\bid\b/i, "ID")
  const name = variableName(id, words.toUpperCase().replaceAll(" ", "_"))
  return { name, label, secret: option === "server" }
}
