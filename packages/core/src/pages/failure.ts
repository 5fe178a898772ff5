import type { ResolvedProvider } from "../model/signin.js"
import { isPassword, isShown } from "./fields.js"
import type { PageOf } from "./view.js"

/** The input that the error of the page is about. */
export interface Failure {
  /** ID of the provider. */
  readonly provider: string
  readonly input: string
}

/** `undefined`: the error isn't about an input, or it isn't known which form was sent. */
export function failureOf(
  providers: readonly ResolvedProvider[],
  { error, attempt }: PageOf<"signin">,
): Failure | undefined {
  const type = error === undefined ? undefined : typeOfError[error]
  if (type === undefined) return undefined
  const candidates = providers.filter((provider) => provider.type === type)
  const sent = candidates.find(({ id }) => id === attempt?.provider)
  const provider = sent ?? (candidates.length === 1 ? candidates[0] : undefined)
  const input = provider && inputOf(provider)
  return provider === undefined || input === undefined ? undefined : { provider: provider.id, input }
}

const typeOfError: Readonly<Record<string, ResolvedProvider["type"] | undefined>> = Object.assign(
  Object.create(null) as Record<string, ResolvedProvider["type"] | undefined>,
  { CredentialsSignin: "credentials", EmailSignin: "email" } as const,
)

/** A wrong name and a wrong password look the same, so the user starts with the password, which the page doesn't keep. */
function inputOf(provider: ResolvedProvider): string | undefined {
  if (provider.type === "email") return "email"
  if (provider.type !== "credentials") return undefined
  const shown = Object.entries(provider.credentials).filter(([, field]) => isShown(field))
  const secret = shown.find(([key, field]) => isPassword(key, field))
  return (secret ?? shown[0])?.[0]
}
