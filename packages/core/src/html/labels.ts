import { fill } from "../i18n/fill.js"
import type { Messages } from "../i18n/messages.js"
import type { ResolvedProvider } from "../model/signin.js"
import { type LabelContext, viewOf } from "./view.js"

/** The text of the button that signs in with a provider. */
export function buttonLabel(provider: ResolvedProvider, context: LabelContext): string {
  return (
    ownLabel(provider, context.locale) ??
    viewOf(context, provider).label?.(provider, context) ??
    fill(context.t.signin.with, { provider: provider.name })
  )
}

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
export function insteadLabel(provider: ResolvedProvider, context: LabelContext): string {
  const { t } = context
  const generic = isOnly(provider, context) ? viewOf(context, provider).instead?.(provider, t) : undefined
  return generic ?? fill(t.signin.providerInstead, { provider: provider.name })
}

/** Of two providers of one type, the name tells which is which. */
export function isOnly({ type }: ResolvedProvider, { providers }: Pick<LabelContext, "providers">): boolean {
  return providers.filter((other) => other.type === type).length === 1
}

interface Device {
  readonly browser?: string | undefined
  readonly system?: string | undefined
}

export function deviceName({ account: { sessions } }: Messages, { browser, system }: Device): string {
  if (browser !== undefined && system !== undefined) return fill(sessions.device, { browser, system })
  return browser ?? system ?? sessions.unknownDevice
}
