import { fill } from "../../i18n/fill.js"
import { toRoute } from "../../http/redirect.js"
import type { LinkedAccount } from "../../model/account.js"
import type { Params } from "../../model/http.js"
import { type Html, html } from "../../html/html.js"
import { iconOf } from "../../html/icon.js"
import { hiddenFields } from "../../html/layout.js"
import { accountForm, type AccountView, actions, disclosure, ifRecent, itemsOf, section } from "../../html/account.js"

/** The linked accounts of a user, and the providers to connect. */
export function linkedAccountsSection(view: AccountView): Html | undefined {
  const { accounts, connectable } = view.overview
  const { heading, none } = view.t.account.accounts
  const items = accounts.isAvailable ? accounts.items : []
  if (connectable.length === 0 && items.length === 0) return undefined
  const list = itemsOf(accounts, none, (account) => accountItem(view, account))
  const isLinked = (id: string) => items.some(({ provider }) => provider === id)
  const asked = view.auth.vault ? view.request.query["connect"] : undefined
  const others = connectable
    .filter(({ id }) => !isLinked(id) || id === asked)
    .map((provider) => connectForm(view, provider, provider.id === asked))
  return section("accounts", heading, html`${list}${actions(others)}`)
}

function accountItem(
  view: AccountView,
  { provider, providerAccountId, providerName, isRemovable }: LinkedAccount,
): Html {
  const { disconnect, disconnectLabel, lastWayIn } = view.t.account.accounts
  const what = html`${logoOf(view, provider)}<span class="what"><strong>${providerName}</strong></span>`
  if (!isRemovable) return html`${what}<span class="note">${lastWayIn}</span>`
  if (view.overview.unavailable.unlinkAccount !== undefined) return what
  const button = html`<button type="submit" class="danger">${fill(disconnectLabel, { provider: providerName })}</button>`
  const form = accountForm(view, "unlink-account", { provider, providerAccountId }, button)
  return html`${what}${disclosure(disconnect, ifRecent(view, form), { label: fill(disconnectLabel, { provider: providerName }) })}`
}

function logoOf({ auth }: AccountView, id: string): Html | undefined {
  const provider = auth.providers.get(id)
  return provider !== undefined && "style" in provider ? iconOf(provider.style.icon) : undefined
}

/** The usual sign-in, with `link`: the account becomes one of the user who is signed in. */
function connectForm(
  view: AccountView,
  { id, name }: { readonly id: string; readonly name: string },
  isAsked: boolean,
): Html {
  const { csrfToken, request, t } = view
  const query = isAsked ? consentFor(view, id) : {}
  const fields = hiddenFields({ csrfToken, callbackUrl: toRoute(request, "account"), link: "true" })
  const button = html`<button type="submit">${logoOf(view, id)}${fill(t.account.accounts.connect, { provider: name })}</button>`
  return html`<form action="${toRoute(request, `signin/${id}`, query)}" method="POST">${fields}${button}</form>`
}

/** What `token` asks the user for. A provider that has granted it before would send no refresh token without the question. */
function consentFor({ auth, request }: AccountView, id: string): Params {
  const { scope } = request.query
  const prompt = auth.providers.get(id)?.type === "oidc" ? { prompt: "consent" } : {}
  return { ...prompt, ...(scope !== undefined && { scope }) }
}
