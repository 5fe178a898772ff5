import type { Messages } from "../../i18n/messages.js"
import type { Notice } from "../../i18n/notice.js"
import type { Refusal, RefusalSite } from "../../model/built-in-pages.js"
import { detailOf, reference } from "./error.js"
import { html } from "../../html/html.js"
import { type Image, imageOf } from "../../html/image.js"
import { asList, card } from "../../html/layout.js"
import { backRules, backToSite } from "../../html/site-link.js"
import type { View } from "../../html/view.js"

export function refusalPage(t: Messages, { theme, origin, basePath }: RefusalSite, refusal: Refusal): View {
  const { heading, text } = noticeOf(t, refusal.status)
  const request = origin === undefined ? undefined : { origin, base: origin + basePath }
  const logo: Image | undefined = request && imageOf(request, theme.logo)
  const back = request && backToSite({ auth: { theme }, request, t })
  return {
    title: heading,
    root: "error",
    status: refusal.status,
    content: card(
      t,
      logo,
      html`<h1>${heading}</h1><div class="message"><p>${text}</p></div>${back}${detailOf(t, refusal)}${reference(t, refusal)}`,
    ),
    images: asList(logo),
    rules: backRules,
    formTargets: ["'none'"],
  }
}

export function noticeOf({ status: texts }: Messages, status: number): Notice {
  switch (status) {
    case 403:
      return texts.framed
    case 404:
      return texts.notFound
    case 405:
      return texts.notAllowed
    case 413:
      return texts.tooLarge
    case 431:
      return texts.tooManyCookies
    case 500:
      return texts.serverError
    default:
      return texts.badRequest
  }
}
