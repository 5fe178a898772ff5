import { canonicalEmail } from "../http/email-address.js"
import { fill } from "../i18n/fill.js"
import type { Messages } from "../i18n/messages.js"
import type { AuthRequest } from "../model/http.js"
import type { ResolvedProvider } from "../model/signin.js"
import { type Html, html } from "./html.js"
import { imageOf } from "./image.js"
import { reference } from "./error.js"
import { card, asList } from "./layout.js"
import { signInErrorText } from "./error-texts.js"
import type { FormContext } from "./form-parts.js"
import { passkeyRules } from "./passkey-form.js"
import { formOf, isOnPage, leavesSite } from "./provider-form.js"
import { providerRule } from "./styles.js"
import { providerTargets, signInTargets } from "./targets.js"
import type { PageContext, PageOf, View } from "./view.js"

/** @param script what `loadScript` returned */
export function signInPage(
  { auth, request, t }: PageContext,
  page: PageOf<"signin">,
  script: string | undefined,
): View {
  const providers: readonly ResolvedProvider[] = [...auth.providers.values()].filter(isOnPage)
  const leaving = providers.filter(leavesSite)
  const passkeys = providers.flatMap((provider) => (provider.type === "webauthn" ? [provider] : []))
  const logo = imageOf(request, auth.theme.logo)
  const email = page.email === undefined ? undefined : validEmail(page.email)
  const { callbackUrl, csrfToken, error } = page
  const context: FormContext = {
    request,
    t,
    callbackUrl,
    csrfToken,
    email: email ?? page.attempt?.fields["email"],
    attempt: page.attempt,
    focused: providers.find(({ type }) => type === "email")?.id,
    autofill: passkeys.find(({ config }) => config.enableConditionalUI)?.id,
    passkeySignUp: auth.security.passkeySignUp,
    ids: new Set(),
    failed: error !== undefined,
  }
  return {
    title: t.signin.title,
    root: "signin",
    status: 200,
    content: card(t, logo, html`${heading(t, request)}${errorBox(t, page)}${blocks(providers, context)}`),
    images: [...asList(logo), ...leaving.flatMap(({ style }) => asList(imageOf(request, style.logo)))],
    rules: [
      ...providers.map(({ style }, index) => providerRule(index, style.brandColor ?? style.bg)),
      ...passkeys.slice(0, 1).map(() => passkeyRules),
    ].join(""),
    script,
    connects: passkeys.length > 0,
    formTargets: [...signInTargets(auth, request, callbackUrl), ...providerTargets(leaving)],
  }
}

function heading({ signin }: Messages, { origin }: AuthRequest): Html {
  return html`<h1>${fill(signin.heading, { app: new URL(origin).host })}</h1>`
}

/** The email is the only query parameter that appears on the page, so any other text is dropped. */
function validEmail(email: string): string | undefined {
  try {
    return canonicalEmail(email)
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

function blocks(providers: readonly ResolvedProvider[], context: FormContext): Html {
  if (providers.length === 0) return html`<p class="message">${context.t.signin.nothing}</p>`
  return html`${providers.map((provider, index) => block(provider, providers[index - 1], context, index))}`
}

function block(
  provider: ResolvedProvider,
  previous: ResolvedProvider | undefined,
  context: FormContext,
  index: number,
): Html {
  const needsSeparator = previous !== undefined && !(leavesSite(previous) && leavesSite(provider))
  const separator = needsSeparator ? html`<hr>` : undefined
  return html`${separator}<div class="provider ${`provider-${index}`}">${formOf(provider, context)}</div>`
}
