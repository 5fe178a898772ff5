import type { SignInMethod } from "../../../model/flow.js"
import type { AuthRequest } from "../../../model/http.js"
import type { ResolvedProvider } from "../../../model/signin.js"
import { iconPaths } from "../../../html/icon.js"
import { imageOf } from "../../../html/image.js"
import { buttonLabel, insteadLabel } from "../../../html/labels.js"
import { type MethodContext, type PageContext, autofillOf, viewOf } from "../../../html/view.js"
import { logoOf } from "./logo.js"

/** How a visitor can sign in, in the order of the configuration. */
export function methodsOf(page: PageContext): readonly SignInMethod[] {
  const providers: readonly ResolvedProvider[] = [...page.auth.providers.values()]
  const context = { ...page, providers, autofill: autofillOf(page, providers) }
  return providers.map((provider) => methodOf(provider, context))
}

function methodOf(provider: ResolvedProvider, context: MethodContext): SignInMethod {
  const { request } = context
  const { id, name } = provider
  const texts = { label: buttonLabel(provider, context), instead: insteadLabel(provider, context) }
  const common = { id, name, ...texts, ...logoOf(request, provider), ...iconFor(request, provider) }
  return { ...common, ...viewOf(context, provider).method(provider, context) }
}

function iconFor(request: AuthRequest, { style }: ResolvedProvider): Pick<SignInMethod, "icon"> {
  const icon = imageOf(request, style.logo) === undefined ? iconPaths(style.icon) : []
  return icon.length === 0 ? {} : { icon }
}
