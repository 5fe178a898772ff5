import { type PageContext, type PageOf, isOnPage, viewOf } from "../../html/view.js"

/**
 * How the user of a refused account can sign in, such as "GitHub or Email". If the provider didn't say whose email it is, it's what
 * this browser signed in with last, which says nothing about the owner of the email. `undefined`: neither is known.
 */
export function knownWays(
  { auth, locale, t, views }: Pick<PageContext, "auth" | "locale" | "t" | "views">,
  { ways, lastUsed, provider: tried }: Pick<PageOf<"signin">, "ways" | "lastUsed" | "provider">,
): string | undefined {
  if (ways === undefined) return undefined
  const names = (ways.length > 0 ? ways : [lastUsed ?? ""]).flatMap((id) => {
    const provider = auth.providers.get(id)
    if (provider === undefined || provider.name === tried || !isOnPage({ views }, provider)) return []
    return viewOf({ views }, provider).noun?.(provider, t) ?? provider.name
  })
  return names.length === 0 ? undefined : new Intl.ListFormat(locale, { type: "disjunction" }).format(names)
}
