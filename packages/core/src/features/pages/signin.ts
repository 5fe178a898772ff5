import { typedEmail } from "../../http/email-address.js"
import { fill } from "../../i18n/fill.js"
import type { AuthContext } from "../../model/auth.js"
import type { ResolvedProvider } from "../../model/signin.js"
import { signInErrorText } from "./error-texts.js"
import { reference } from "./error.js"
import { knownWays } from "./known-ways.js"
import { type Html, attributes, html } from "../../html/html.js"
import { widgetFor } from "../../html/captcha.js"
import { imageOf } from "../../html/image.js"
import { insteadLabel } from "../../html/labels.js"
import { asList, card } from "../../html/layout.js"
import { appName, legalRules, ownPage, signInLinks } from "../../html/site-link.js"
import { monogramRules, providerRule } from "../../html/styles.js"
import { signInTargets } from "../../html/targets.js"
import {
  type Failure,
  type FormContext,
  type PageContext,
  type PageOf,
  type PageView,
  type View,
  autofillOf,
  isForm,
  isOnPage,
  leavesSite,
  targetsOf,
  viewOf,
} from "../../html/view.js"

export const signIn: PageView<PageOf<"signin">> = {
  render: signInPage,
  script: (_, page) => (providersOf(page).some((provider) => !leavesSite(page, provider)) ? "provider" : undefined),
}

function providersOf(page: Pick<PageContext, "auth" | "views">): readonly ResolvedProvider[] {
  return [...page.auth.providers.values()].filter((provider) => isOnPage(page, provider))
}

function signInPage(page: PageContext, content: PageOf<"signin">, script: string | undefined): View {
  const { auth, request, t } = page
  const providers = providersOf(page)
  const leaving = providers.filter((provider) => leavesSite(page, provider))
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
      html`<h1>${heading}</h1>${general}${methodsOf(providers, context, content.lastUsed)}${signInLinks(page, canSignUp(page, providers))}`,
    ),
    images: [...asList(logo), ...leaving.flatMap(({ style }) => asList(imageOf(request, style.logo)))],
    rules: signInRules(page, providers, content.lastUsed),
    script,
    captcha: providers.some(({ type }) => type === "email") ? widgetFor(auth, "email") : undefined,
    connects: providers.some((provider) => viewOf(page, provider).connects),
    formTargets: [
      ...signInTargets(auth, request, content.callbackUrl),
      ...leaving.flatMap((each) => targetsOf(page, each)),
    ],
  }
}

/** The users of credentials are created elsewhere. */
function canSignUp({ auth }: PageContext, providers: readonly ResolvedProvider[]): boolean {
  return auth.pages.createAccount !== undefined || providers.some(({ type }) => type !== "credentials")
}

function contextOf(page: PageContext, content: PageOf<"signin">, providers: readonly ResolvedProvider[]): FormContext {
  const { auth, request } = page
  const { attempt, callbackUrl, csrfToken } = content
  const failure = failureOf(page, providers, content)
  const forms = providers.filter((provider) => isForm(provider, { ...page, providers }))
  const open = openForm(forms, content, failure?.provider)
  const email = content.email === undefined ? undefined : validEmail(auth, content.email)
  const first = providers.find((provider) => viewOf(page, provider).takesFocus)?.id
  return {
    ...page,
    providers,
    callbackUrl,
    csrfToken,
    email: email ?? attempt?.fields["email"],
    attempt,
    failure,
    error: errorBox(page, content),
    // The focus is in one place: the input that failed, if there is one.
    focused: failure === undefined && (open === undefined || open === first) ? first : undefined,
    open,
    autofill: autofillOf(page, providers),
    forgotPassword: ownPage(request, auth.pages.forgotPassword),
    ids: new Set(),
  }
}

/** The form that failed, else that of the last sign-in, else the first one. */
function openForm(
  forms: readonly ResolvedProvider[],
  { attempt, lastUsed }: PageOf<"signin">,
  failed: string | undefined,
): string | undefined {
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

function errorBox(context: PageContext, page: PageOf<"signin">): Html | undefined {
  const { error } = page
  if (error === undefined) return undefined
  const text = signInErrorText(context.t, error, { ...page, methods: knownWays(context, page) })
  return html`<div class="error" role="alert"><p id="signin-error">${text}</p>${reference(context.t, page)}</div>`
}

/** `undefined`: the error isn't about an input, or it isn't known which form was sent. */
function failureOf(
  page: PageContext,
  providers: readonly ResolvedProvider[],
  { error, attempt }: PageOf<"signin">,
): Failure | undefined {
  if (error === undefined) return undefined
  const candidates = providers.filter((provider) => viewOf(page, provider).failure?.error === error)
  const sent = candidates.find(({ id }) => id === attempt?.provider)
  const provider = sent ?? (candidates.length === 1 ? candidates[0] : undefined)
  const input = provider && viewOf(page, provider).failure?.input(provider)
  return provider === undefined || input === undefined ? undefined : { provider: provider.id, input }
}

/** More buttons of providers are in two columns, with their names only. */
const maxInOneColumn = 5

/** With more methods than this, so are two buttons: the page should fit into a window of a laptop. */
const maxMethods = 4

interface Group {
  readonly buttons: boolean
  readonly blocks: readonly Html[]
}

/** Every way to sign in, in the order of the configuration: buttons, and forms of which one is open. */
function methodsOf(providers: readonly ResolvedProvider[], context: FormContext, lastUsed: string | undefined): Html {
  if (providers.length === 0) return html`<p class="message">${context.t.signin.nothing}</p>`
  const buttons = providers.filter((provider) => leavesSite(context, provider)).length
  const isCompact = buttons > maxInOneColumn || (buttons < providers.length && providers.length > maxMethods)
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
  if (leavesSite(context, provider)) return true
  return !isForm(provider, context) && (above?.buttons ?? true)
}

function badge({ t }: FormContext): Html {
  return html`<span class="last-used">${t.signin.lastUsed}</span>`
}

/** Of several forms, one is open at a time. */
function methodOf(provider: ResolvedProvider, context: FormContext): Html {
  const view = viewOf(context, provider)
  const form = view.form(provider, context)
  const forms = context.providers.filter((each) => isForm(each, context))
  if (forms.length === 1 || !forms.includes(provider)) return form
  const state = attributes({ open: context.open === provider.id, name: "method" })
  const summary = html`${view.icon}<span>${insteadLabel(provider, context)}</span>`
  return html`<details${state}><summary>${summary}</summary>${form}</details>`
}

/** The CSS rules of what this sign-in page has. */
function signInRules(page: PageContext, providers: readonly ResolvedProvider[], lastUsed: string | undefined): string {
  const { pages } = page.auth
  return [
    ...providers.map((each, index) => (leavesSite(page, each) ? ruleOf(each, index) : "")),
    ...new Set(providers.map((each) => viewOf(page, each).rules ?? "")),
    providers.some((each) => leavesSite(page, each) && !hasLogo(each)) ? monogramRules : "",
    lastUsed === undefined ? "" : lastUsedRules,
    pages.forgotPassword === undefined ? "" : forgotRules,
    pages.createAccount === undefined ? "" : createAccountRules,
    pages.terms === undefined && pages.privacy === undefined ? "" : legalRules,
  ].join("")
}

function ruleOf(provider: ResolvedProvider, index: number): string {
  const { name, style } = provider
  return providerRule(index, style.brandColor ?? style.bg, hasLogo(provider) ? undefined : name)
}

function hasLogo({ style }: ResolvedProvider): boolean {
  return Boolean(style.icon ?? style.logo)
}

const lastUsedRules = `.last-used{position:absolute;z-index:1;inset-block-start:-.625rem;inset-inline-end:.625rem;padding:0 .5rem;font-size:.75rem;line-height:1.125rem;font-weight:500;
color:var(--color-primary);background:var(--color-background-card);border:1px solid var(--color-control-border);border-radius:1rem;pointer-events:none}
.provider:has(>[open],>form>label)>.last-used{inset-block-start:0;inset-inline-end:0}
`

/** In the line of the label, but after the input for the keyboard. */
const forgotRules = `.forgot{position:absolute;inset-block-end:100%;inset-inline-end:0;margin:0 0 .125rem;font-size:.875rem}
.forgot a{display:inline-block;padding:.125rem 0}
`

const createAccountRules = `.other{margin:1rem 0 0;font-size:.875rem;color:var(--color-primary);text-align:center}
.other+.back{margin-top:.5rem}
.other a{font-weight:500;color:var(--color-text)}
`
