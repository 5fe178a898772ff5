import type { ResolvedProvider } from "../model/signin.js"
import type { FormContext } from "./form-context.js"
import { attributes, type Html, html } from "./html.js"
import { lineIcon } from "./icon.js"
import { insteadLabel } from "./labels.js"
import { isOneButton } from "./passkey-form.js"
import { formOf, leavesSite } from "./provider-form.js"

/** More buttons of providers are in two columns, with their names only. */
const maxInOneColumn = 5

interface Group {
  readonly buttons: boolean
  readonly blocks: readonly Html[]
}

/** Every way to sign in, in the order of the configuration: buttons, and forms of which one is open. */
export function methodsOf(
  providers: readonly ResolvedProvider[],
  context: FormContext,
  lastUsed: string | undefined,
): Html {
  if (providers.length === 0) return html`<p class="message">${context.t.signin.nothing}</p>`
  const isCompact = providers.filter(leavesSite).length > maxInOneColumn
  const mark = providers.length > 1 ? lastUsed : undefined
  const groups = grouped(providers, context, mark)
  return html`${groups.map(({ buttons, blocks }, index) => {
    const separator = index === 0 ? undefined : html`<hr>`
    return html`${separator}<div class="${buttons && isCompact ? "methods compact" : "methods"}">${blocks}</div>`
  })}`
}

/** Buttons that follow one another, and forms that do. */
function grouped(
  providers: readonly ResolvedProvider[],
  context: FormContext,
  lastUsed: string | undefined,
): readonly Group[] {
  return providers.reduce<readonly Group[]>((groups, provider, index) => {
    const last = groups.at(-1)
    const buttons = isButton(provider, context, last)
    const marked = provider.id === lastUsed
    const block = html`<div class="provider ${`provider-${index}`}">${marked ? badge(context) : undefined}${methodOf(provider, context)}</div>`
    return last?.buttons === buttons
      ? [...groups.slice(0, -1), { buttons, blocks: [...last.blocks, block] }]
      : [...groups, { buttons, blocks: [block] }]
  }, [])
}

/** The button for a passkey belongs to what's above it. */
function isButton(provider: ResolvedProvider, context: FormContext, above: Group | undefined): boolean {
  if (leavesSite(provider)) return true
  return !isForm(provider, context) && (above?.buttons ?? true)
}

function badge({ t }: FormContext): Html {
  return html`<span class="last-used">${t.signin.lastUsed}</span>`
}

/** Whether the provider has inputs of which the user needs some to sign in. */
export function isForm(provider: ResolvedProvider, context: Pick<FormContext, "providers" | "passkeySignUp">): boolean {
  return provider.type === "webauthn" ? !isOneButton(provider, context) : !leavesSite(provider)
}

const icons = {
  email: "email",
  credentials: "password",
  webauthn: "passkey",
  oauth: "password",
  oidc: "password",
} as const

/** Of several forms, one is open at a time. */
function methodOf(provider: ResolvedProvider, context: FormContext): Html {
  const form = formOf(provider, context)
  const forms = context.providers.filter((each) => isForm(each, context))
  if (forms.length === 1 || !forms.includes(provider)) return form
  const state = attributes({ open: context.open === provider.id, name: "method" })
  const summary = html`${lineIcon(icons[provider.type])}<span>${insteadLabel(provider, context)}</span>`
  return html`<details${state}><summary>${summary}</summary>${form}</details>`
}
