import { fill } from "../i18n/fill.js"
import type { Messages } from "../i18n/messages.js"
import type { ResolvedProvider } from "../model/signin.js"
import type { FormContext } from "./form-context.js"

/** The text of the button that signs in with a provider. */
export function buttonLabel(
  provider: ResolvedProvider,
  { t, locale, providers }: Pick<FormContext, "t" | "locale" | "providers">,
): string {
  const own = ownLabel(provider, locale)
  if (own !== undefined) return own
  const { type, name } = provider
  if (type === "credentials" && isGeneric(name)) return t.signin.button
  if (type === "email" && serviceNames.has(name) && isOnly(provider, providers)) return t.signin.sendLink
  if (type === "webauthn" && name === "Passkey") return t.signin.withPasskey
  return fill(t.signin.with, { provider: name })
}

/** The default names of email providers: services that users don't know. */
const serviceNames: ReadonlySet<string> = new Set([
  "Email",
  "Forward Email",
  "Loops",
  "Mailgun",
  "Nodemailer",
  "Postmark",
  "Resend",
  "SendGrid",
])

function ownLabel({ buttonLabel: label }: ResolvedProvider, locale: string): string | undefined {
  if (typeof label !== "object" || label === null) return text(label)
  const tags = [locale, locale.split("-")[0] ?? locale, "en"]
  return tags
    .map((tag) => (Object.hasOwn(label, tag) ? text(label[tag]) : undefined))
    .find((each) => each !== undefined)
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined
}

/** The text that opens a form in place of the one that is open. */
export function insteadLabel(
  provider: ResolvedProvider,
  { t, providers }: Pick<FormContext, "t" | "providers">,
): string {
  const generic = isOnly(provider, providers) ? genericLabel(provider, t) : undefined
  return generic ?? fill(t.signin.providerInstead, { provider: provider.name })
}

function genericLabel(provider: ResolvedProvider, { signin }: Messages): string | undefined {
  switch (provider.type) {
    case "email":
      return signin.emailInstead
    case "webauthn":
      return signin.passkeyInstead
    case "credentials":
      if (!isGeneric(provider.name)) return undefined
      return hasPassword(provider) ? signin.passwordInstead : signin.otherMethod
    default:
      return undefined
  }
}

/** "Sign in with Credentials" tells a user nothing, and the form shows that it's about a password. */
function isGeneric(name: string): boolean {
  return /^(?:credentials|(?:(?:e-?mail|user ?name) (?:and|&) )?password)$/i.test(name)
}

function hasPassword({ credentials }: Extract<ResolvedProvider, { type: "credentials" }>): boolean {
  return Object.entries(credentials).some(([key, { type }]) => key === "password" || type === "password")
}

/** Of two providers of one type, the name tells which is which. */
function isOnly({ type }: ResolvedProvider, providers: readonly ResolvedProvider[]): boolean {
  return providers.filter((other) => other.type === type).length === 1
}

/** The text of the button that creates a passkey. */
export function createLabel({ name }: ResolvedProvider, { t }: Pick<FormContext, "t">): string {
  return name === "Passkey" ? t.signin.createPasskey : fill(t.passkey.create, { provider: name })
}
