import { toRoute } from "../../../http/redirect.js"
import type { SignInField, SignInMethod } from "../../../model/flow.js"
import type { ResolvedProvider } from "../../../model/signin.js"
import type { WebAuthnProvider } from "../../../model/webauthn-provider.js"
import { iconPaths } from "../../../html/icon.js"
import { imageOf } from "../../../html/image.js"
import { buttonLabel, createLabel, insteadLabel } from "../../../html/labels.js"
import { asksForEmail } from "../../passkeys/form.js"
import type { PageContext } from "../../../html/view.js"
import { fieldsOf } from "./fields.js"
import { logoOf } from "./logo.js"

/** How a visitor can sign in, in the order of the configuration. */
export function methodsOf(page: PageContext): readonly SignInMethod[] {
  const providers: readonly ResolvedProvider[] = [...page.auth.providers.values()]
  const autofill = providers.find((each) => each.type === "webauthn" && each.config.enableConditionalUI)?.id
  return providers.map((provider) => methodOf({ ...page, provider, providers, autofill }))
}

interface MethodContext<P = ResolvedProvider> extends PageContext {
  readonly provider: P
  readonly providers: readonly ResolvedProvider[]
  /** The id of the passkey provider that uses the browser's autofill. */
  readonly autofill: string | undefined
}

function methodOf(context: MethodContext): SignInMethod {
  const { request, t, provider } = context
  const { id, name } = provider
  const texts = { label: buttonLabel(provider, context), instead: insteadLabel(provider, context) }
  const common = { id, name, ...texts, ...logoOf(request, provider), ...iconFor(context) }
  const [start, callback] = [toRoute(request, `signin/${id}`), toRoute(request, `callback/${id}`)]
  switch (provider.type) {
    case "oauth":
    case "oidc":
      return { ...common, type: provider.type, url: start, fields: [] }
    case "email":
      return { ...common, type: "email", url: start, fields: [emailField(context, true)] }
    case "credentials":
      return { ...common, type: "credentials", url: callback, fields: fieldsOf(t, provider.credentials) }
    case "webauthn":
      return { ...common, url: callback, ...passkeyMethod({ ...context, provider }) }
  }
}

function iconFor({ request, provider: { style } }: MethodContext): Pick<SignInMethod, "icon"> {
  const icon = imageOf(request, style.logo) === undefined ? iconPaths(style.icon) : []
  return icon.length === 0 ? {} : { icon }
}

function passkeyMethod(context: MethodContext<WebAuthnProvider>) {
  const { auth, request, t, provider, autofill } = context
  const { id, formFields } = provider
  const canSignUp = auth.security.passkeySignUp && (formFields === undefined || asksForEmail(provider))
  return {
    type: "webauthn",
    fields: formFields === undefined ? [emailField(context, false)] : fieldsOf(t, formFields),
    optionsUrl: toRoute(request, `webauthn-options/${id}`),
    autofill: autofill === id,
    ...(canSignUp && { signUp: { label: createLabel(provider, context) } }),
  } as const
}

/** The browser also offers passkeys in this field. */
function emailField({ t, autofill }: MethodContext, required: boolean): SignInField {
  return {
    name: "email",
    label: t.signin.email,
    type: "email",
    required,
    autocomplete: autofill === undefined ? "email" : "email webauthn",
    placeholder: t.signin.emailExample,
  }
}
