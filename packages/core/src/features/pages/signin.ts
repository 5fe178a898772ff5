import { typedEmail } from "../../http/email-address.js"
import { fill } from "../../i18n/fill.js"
import type { Messages } from "../../i18n/messages.js"
import type { AuthContext } from "../../model/auth.js"
import type { ResolvedProvider } from "../../model/signin.js"
import { signInErrorText } from "./error-texts.js"
import { reference } from "./error.js"
import { isPassword, isShown } from "../../html/fields.js"
import type { Failure, FormContext } from "../../html/form-context.js"
import { type Html, attributes, html } from "../../html/html.js"
import { lineIcon } from "../../html/icon.js"
import { imageOf } from "../../html/image.js"
import { insteadLabel } from "../../html/labels.js"
import { asList, card } from "../../html/layout.js"
import { isOneButton, passkeyRules } from "../passkeys/form.js"
import { formOf, isOnPage, leavesSite } from "./provider-form.js"
import { appName, ownPage, signInLinks } from "../../html/site-link.js"
import { providerRule } from "../../html/styles.js"
import { providerTargets, signInTargets } from "../../html/targets.js"
import type { PageContext, PageOf, View } from "../../html/view.js"

/** @param script what `loadScript` returned */
export function signInPage(page: PageContext, content: PageOf<"signin">, script: string | undefined): View {
  const { auth, request, t } = page
  const providers: readonly ResolvedProvider[] = [...auth.providers.values()].filter(isOnPage)
  const leaving = providers.filter(leavesSite)
  const hasPasskeys = providers.some(({ type }) => type === "webauthn")
  const logo = imageOf(request, auth.theme.logo)
  const context = contextOf(page, content, providers)
  const heading = fill(t.signin.heading, { app: appName(page) })
  const general = context.failure === undefined ? context.error : undefined
  return {
    title: heading,
    root: "signin",
    status: 200,
    content: card(
      t,
      logo,
      html`<h1>${heading}</h1>${general}${methodsOf(providers, context, content.lastUsed)}${signInLinks(page)}`,
    ),
    images: [...asList(logo), ...leaving.flatMap(({ style }) => asList(imageOf(request, style.logo)))],
    rules: signInRules(auth, providers, content.lastUsed),
    script,
    connects: hasPasskeys,
    formTargets: [...signInTargets(auth, request, content.callbackUrl), ...providerTargets(leaving)],
  }
}

function contextOf(page: PageContext, content: PageOf<"signin">, providers: readonly ResolvedProvider[]): FormContext {
  const { auth, request, t, locale } = page
  const { attempt, callbackUrl, csrfToken } = content
  const { passkeySignUp } = auth.security
  const failure = failureOf(providers, content)
  const open = openForm(providers, content, { failed: failure?.provider, passkeySignUp })
  const email = content.email === undefined ? undefined : validEmail(auth, content.email)
  const first = providers.find(({ type }) => type === "email")?.id
  return {
    request,
    t,
    locale,
    providers,
    callbackUrl,
    csrfToken,
    email: email ?? attempt?.fields["email"],
    attempt,
    failure,
    error: errorBox(t, content),
    // The focus is in one place: the input that failed, if there is one.
    focused: failure === undefined && (open === undefined || open === first) ? first : undefined,
    open,
    autofill: providers.find((each) => each.type === "webauthn" && each.config.enableConditionalUI)?.id,
    passkeySignUp,
    forgotPassword: ownPage(request, auth.pages.forgotPassword),
    ids: new Set(),
  }
}

/** The form that failed, else that of the last sign-in, else the first one. */
function openForm(
  providers: readonly ResolvedProvider[],
  { attempt, lastUsed }: PageOf<"signin">,
  { failed, passkeySignUp }: { readonly failed: string | undefined; readonly passkeySignUp: boolean },
): string | undefined {
  const forms = providers.filter((provider) => isForm(provider, { providers, passkeySignUp }))
  return [failed, attempt?.provider, lastUsed, forms[0]?.id].find((id) => forms.some((form) => form.id === id))
}

/** The email is the only query parameter that appears on the page, so any other text is dropped. */
function validEmail({ rules }: AuthContext, email: string): string | undefined {
  try {
    return typedEmail(email, rules)
  } catch {
    return undefined
  }
}

function errorBox(t: Messages, page: PageOf<"signin">): Html | undefined {
  const { error, problem, provider } = page
  if (error === undefined) return undefined
  const text = signInErrorText(t, error, problem, provider)
  return html`<div class="error" role="alert"><p id="signin-error">${text}</p>${reference(t, page)}</div>`
}

/** `undefined`: the error isn't about an input, or it isn't known which form was sent. */
function failureOf(providers: readonly ResolvedProvider[], { error, attempt }: PageOf<"signin">): Failure | undefined {
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

/** More buttons of providers are in two columns, with their names only. */
const maxInOneColumn = 5

interface Group {
  readonly buttons: boolean
  readonly blocks: readonly Html[]
}

/** Every way to sign in, in the order of the configuration: buttons, and forms of which one is open. */
function methodsOf(providers: readonly ResolvedProvider[], context: FormContext, lastUsed: string | undefined): Html {
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
function isForm(provider: ResolvedProvider, context: Pick<FormContext, "providers" | "passkeySignUp">): boolean {
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

/** The CSS rules of what this sign-in page has. */
function signInRules(
  { pages }: Pick<AuthContext, "pages">,
  providers: readonly ResolvedProvider[],
  lastUsed: string | undefined,
): string {
  return [
    ...providers.map((each, index) =>
      leavesSite(each) ? providerRule(index, each.style.brandColor ?? each.style.bg) : "",
    ),
    providers.some(({ type }) => type === "webauthn") ? passkeyRules : "",
    lastUsed === undefined ? "" : lastUsedRules,
    pages.forgotPassword === undefined ? "" : forgotRules,
    pages.createAccount === undefined ? "" : createAccountRules,
  ].join("")
}

const lastUsedRules = `.last-used{position:absolute;z-index:1;inset-block-start:-.625rem;inset-inline-end:.625rem;padding:0 .5rem;font-size:.75rem;line-height:1.125rem;font-weight:500;
color:var(--color-primary);background:var(--color-background-card);border:1px solid var(--color-control-border);border-radius:1rem;pointer-events:none}
.provider:has(>[open],>form>label)>.last-used{inset-block-start:0;inset-inline-end:0}
`

const forgotRules = `.forgot{margin:-.625rem 0 .75rem;font-size:.875rem;text-align:end}
.forgot a{display:inline-block;padding:.25rem 0}
`

const createAccountRules = `.other{margin:1.25rem 0 0;font-size:.875rem;color:var(--color-primary);text-align:center}
.other+.back{margin-top:.5rem}
.other a{font-weight:500;color:var(--color-text)}
`
