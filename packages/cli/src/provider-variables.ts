import { variableName } from "@latchkey/core/providers/catalogue"
import type { Entry } from "./catalogue.js"

/** A variable that a provider reads, or that its options are taken from. */
export interface Variable {
  readonly name: string
  /** For a question: `Client ID`. */
  readonly label: string
  readonly secret: boolean
  /** Which option of the command line gives it. */
  readonly flag?: "clientId" | "clientSecret" | "issuer" | "privateKey"
  /** What the value looks like. */
  readonly example?: string | undefined
}

/** What has to be known of a provider before people can sign in with it. */
export function variablesOf(entry: Entry): Variable[] {
  const { env } = entry
  const optional: readonly (Variable | undefined)[] = [
    env.clientId === undefined
      ? undefined
      : { name: env.clientId, label: "Client ID", secret: false, flag: "clientId" },
    env.clientSecret === undefined || mintsSecret(entry)
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

/** The options of the call as source text; undefined where the provider stands without a call. */
export function optionsText(entry: Entry): string | undefined {
  const options = ownOptions(entry).map(
    (option) =>
      `${option}: process.env.${variableOf(entry, option).name} ?? ${JSON.stringify(fallbacks[option] ?? "")}`,
  )
  return options.length === 0 ? undefined : `{ ${options.join(", ")} }`
}

/** What a build, which has no variables, goes on with: some options must not be empty. */
const fallbacks: Readonly<Record<string, string>> = { server: "smtp://localhost:25" }

/** What nobody can type at a prompt, since it is an object. */
export function optionsByHand({ needs }: Entry): string[] {
  return needs.filter((option) => objects.has(option))
}

const objects: ReadonlySet<string> = new Set(["headers", "userinfo"])

/** Options that the engine does not take from the environment by itself. */
function ownOptions({ needs }: Entry): readonly string[] {
  return needs.filter((option) => option !== "issuer" && !objects.has(option))
}

/** Apple's client secret is a token that the provider signs with a key. */
export function mintsSecret({ needs }: Entry): boolean {
  return needs.includes("keyId")
}

function keyOf(entry: Entry, name: string): Variable {
  if (!mintsSecret(entry)) return { name, label: "API key", secret: true }
  return { name, label: "Private key", secret: true, flag: "privateKey" }
}

function variableOf({ id }: Entry, option: string): Variable {
  const words = option.replaceAll(/[A-Z]+/g, " $&").toLowerCase()
  const label = (words.charAt(0).toUpperCase() + words.slice(1)).replace(/\bid\b/i, "ID")
  const name = variableName(id, words.toUpperCase().replaceAll(" ", "_"))
  return { name, label, secret: option === "server" }
}
