import { toRoute } from "../../http/redirect.js"
import { commonFields, routeOf } from "../../html/form-parts.js"
import { type Html, html } from "../../html/html.js"
import { iconOf } from "../../html/icon.js"
import { imageOf } from "../../html/image.js"
import { buttonLabel } from "../../html/labels.js"
import type { FormContext, ProviderView } from "../../html/view.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"

/** A button that leads to the provider. */
export const view: ProviderView<OAuthProvider> = {
  targets,
  isOnPage: ({ connectOnly }) => !connectOnly,
  form: buttonForm,
  method: ({ id, type }, { request }) => ({ type, url: toRoute(request, `signin/${id}`), fields: [] }),
}

/**
 * Any https site. A list of origins can't work: the authorization endpoint may be known only after discovery, and it may
 * redirect to mobile hosts or brokered identity providers.
 */
function targets({ authorization, issuer, wellKnown, redirectProxyUrl }: OAuthProvider): readonly string[] {
  const urls = [authorization.url?.href, issuer, wellKnown, redirectProxyUrl]
  return urls.some((url) => url?.startsWith("http:") === true) ? ["https:", "http:"] : ["https:"]
}

/** The style sheet shows the name alone where there are many buttons. Screen readers always read the whole label. */
function buttonForm(provider: OAuthProvider, context: FormContext): Html {
  const { id, name } = provider
  const label = buttonLabel(provider, context)
  const short =
    provider.buttonLabel === undefined ? html`<span class="short" aria-hidden="true">${name}</span>` : undefined
  const button = html`<button type="submit" class="button">${markOf(provider, context)}<span>${label}</span>${short}</button>`
  return html`<form action="${routeOf(context, "signin", id)}" method="POST">${commonFields(context)}${button}</form>`
}

/** The image of the configuration, otherwise the icon of the provider, otherwise its initial. */
function markOf({ name, style }: OAuthProvider, { request }: FormContext): Html {
  const logo = imageOf(request, style.logo)
  if (logo !== undefined) return html`<img loading="lazy" width="24" height="24" src="${logo.src}" alt="">`
  const initial = /^./su.exec(name.trim())?.[0].toUpperCase()
  return iconOf(style.icon) ?? html`<span class="initial" aria-hidden="true">${initial}</span>`
}
