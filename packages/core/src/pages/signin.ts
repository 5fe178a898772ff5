import { typedEmail } from "../http/email-address.js"
import { fill } from "../i18n/fill.js"
import type { Messages } from "../i18n/messages.js"
import type { AuthContext } from "../model/auth.js"
import type { ResolvedProvider } from "../model/signin.js"
import { appName } from "./app-name.js"
import { reference } from "./error.js"
import { signInErrorText } from "./error-texts.js"
import { failureOf } from "./failure.js"
import type { FormContext } from "./form-context.js"
import { type Html, html } from "./html.js"
import { imageOf } from "./image.js"
import { asList, card } from "./layout.js"
import { ownPage, signInLinks } from "./links.js"
import { isForm, methodsOf } from "./methods.js"
import { isOnPage, leavesSite } from "./provider-form.js"
import { signInRules } from "./sign-in-rules.js"
import { providerTargets, signInTargets } from "./targets.js"
import type { PageContext, PageOf, View } from "./view.js"

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
function validEmail({ mode }: AuthContext, email: string): string | undefined {
  try {
    return typedEmail(email, mode)
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
