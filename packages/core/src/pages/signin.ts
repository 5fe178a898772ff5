import { canonicalEmail } from "../http/email-address.js"
import type { Auth } from "../model/auth.js"
import type { Incoming } from "../model/http.js"
import type { ResolvedProvider } from "../model/resolved-provider.js"
import { type Html, html } from "./html.js"
import { imageOf } from "./image.js"
import { card, present } from "./layout.js"
import { messages, signInErrors, unknownSignInError } from "./messages.js"
import { type FormContext, formOf, isOnPage, leavesSite } from "./provider-form.js"
import { providerRule } from "./styles.js"
import { endsOfSignIn, schemesOf } from "./targets.js"
import type { PageOf, View } from "./view.js"

export function signInPage(auth: Auth, incoming: Incoming, page: PageOf<"signin">): View {
  const providers = [...auth.providers.values()].filter(isOnPage)
  const leaving = providers.filter(leavesSite)
  const logo = imageOf(incoming, auth.theme.logo)
  const email = page.email === undefined ? undefined : plainAddress(page.email)
  const { callbackUrl, csrfToken, error } = page
  const context: FormContext = {
    incoming,
    callbackUrl,
    csrfToken,
    email,
    focused: providers.find(({ type }) => type === "email")?.id,
    ids: new Set(),
    failed: error !== undefined,
  }
  return {
    title: messages.signin.title,
    root: "signin",
    status: 200,
    content: card(logo, html`${heading(incoming)}${errorBox(error)}${blocks(providers, context)}`),
    images: [...present(logo), ...leaving.flatMap(({ style }) => present(imageOf(incoming, style.logo)))],
    rules: providers.map(({ style }, index) => providerRule(index, style.brandColor ?? style.bg)).join(""),
    formTargets: [...endsOfSignIn(auth, incoming, callbackUrl), ...schemesOf(leaving)],
  }
}

function heading({ origin }: Incoming): Html {
  return html`<h1>${messages.signin.heading(new URL(origin).host)}</h1>`
}

/** The only text of the query that is ever shown, and only if it is an address and nothing else. */
function plainAddress(email: string): string | undefined {
  try {
    return canonicalEmail(email)
  } catch {
    return undefined
  }
}

function errorBox(error: string | undefined): Html | undefined {
  if (error === undefined) return undefined
  return html`<div class="error" role="alert"><p id="signin-error">${signInErrors.get(error) ?? unknownSignInError}</p></div>`
}

function blocks(providers: readonly ResolvedProvider[], context: FormContext): Html {
  if (providers.length === 0) return html`<p class="message">${messages.signin.nothing}</p>`
  return html`${providers.map((provider, index) => block(provider, providers[index - 1], context, index))}`
}

function block(
  provider: ResolvedProvider,
  before: ResolvedProvider | undefined,
  context: FormContext,
  index: number,
): Html {
  const apart = before !== undefined && !(leavesSite(before) && leavesSite(provider))
  const separator = apart ? html`<hr>` : undefined
  return html`${separator}<div class="provider ${`provider-${index}`}">${formOf(provider, context)}</div>`
}
