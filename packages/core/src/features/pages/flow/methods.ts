import type { SignInMethod } from "../../../model/flow.js"
import type { AuthRequest } from "../../../model/http.js"
import type { ResolvedProvider } from "../../../model/signin.js"
import { iconOf, iconPaths } from "../../../html/icon.js"
import { imageOf } from "../../../html/image.js"
import { buttonLabel, insteadLabel } from "../../../html/labels.js"
import { type MethodContext, type PageContext, autofillOf, viewOf } from "../../../html/view.js"
import { colorOf } from "../../../html/color.js"

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

interface Logo {
  readonly logo?: string
  readonly logoDark?: string
}

/** The image of the configuration, otherwise the icon of the provider, as URLs. */
function logoOf(request: AuthRequest, { style }: ResolvedProvider): Logo {
  const image = imageOf(request, style.logo)
  if (image !== undefined) return { logo: image.src }
  const icon = iconOf(style.icon)?.toString()
  if (icon === undefined) return {}
  const [light, dark] = ["#1f2328", "#ffffff"].map((color) => dataUrl(icon, color))
  return light === undefined || dark === undefined
    ? {}
    : { logo: light, ...(hasOwnColors(style.icon) ? {} : { logoDark: dark }) }
}

/** An `<img>` doesn't get the text color of the page, so parts without a color get one here. */
function dataUrl(icon: string, color: string): string {
  const svg = icon
    .replace("<svg ", `<svg xmlns="http://www.w3.org/2000/svg" fill="${color}" `)
    .replace("viewbox=", "viewBox=")
    .replace(' class="icon"', "")
    .replace(' aria-hidden="true"', "")
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

function hasOwnColors(paths: unknown): boolean {
  return Array.isArray(paths) && paths.every((path: unknown) => Array.isArray(path) && colorOf(path[1]) !== undefined)
}
