import { equal, type Leave, type SignOutFacts, toBase64Url } from "@latchkey/core/module"
import type { Context, Result } from "./context.js"
import { forgetTokens } from "./end.js"
import type { LogoutOptions } from "./options.js"
import type { SignInRecord } from "./records.js"
import { takeOf } from "./sign-ins.js"

// OpenID Connect RP-Initiated Logout 1.0.

/** How long the user may take at the provider, and the browser for the page that posts. Seconds. */
const maxStay = 600
const maxDeparture = 120

/** Characters. Servers and proxies refuse longer URLs. */
const maxUrl = 2000

/** Runs once the session here has ended. */
export async function leave(
  { always = false, clearSiteData }: LogoutOptions,
  context: Context,
  { scope, session, to, user }: SignOutFacts,
): Promise<Leave> {
  const cleared = clearSiteData?.map((each) => `"${each}"`).join(", ")
  const headers = cleared ? { "clear-site-data": cleared } : {}
  const own = session === undefined || user === null ? [] : await takeOf(context, user, session)
  const [latest] = own
  if (latest === undefined || (scope !== "federated" && !always)) return { headers }
  try {
    await forgetTokens(context, latest)
    return { headers, to: await endSessionUrl(context, latest, to) }
  } catch {
    // The user is signed out here, whether the provider can be reached or not.
    await context.emit("unreachable", user, { outcome: "failure", data: { provider: latest.provider } })
    return { headers }
  }
}

async function endSessionUrl(context: Context, { provider, idToken, hint }: SignInRecord, to: Leave["to"]) {
  const openId = await context.openId(provider)
  if (openId === null) return undefined
  const state = toBase64Url(context.random(32))
  const params = {
    client_id: openId.clientId,
    post_logout_redirect_uri: context.url("return"),
    state,
    ...(idToken !== undefined ? { id_token_hint: idToken } : hint !== undefined && { logout_hint: hint }),
  }
  const url = await openId.endSession(params)
  if (url === null) return undefined
  context.setCookie("state", await context.seal({ state, to }, maxStay), maxStay)
  if (url.length <= maxUrl) return url
  const id = toBase64Url(context.random(32))
  const departure = { id, provider, params: JSON.stringify(params) }
  await context.records.departure.insert(departure, { expiresIn: maxDeparture })
  return context.url("leave", { id })
}

/** GET logout/leave: posts to the provider what is too long for a URL (§2). */
export async function postToProvider(context: Context): Promise<Result> {
  const { method, query } = context.request
  // A link scanner must not use it up.
  if (method === "HEAD") return context.empty(200)
  const url = await departureUrl(context, query["id"] ?? "")
  return url ? context.forward(url) : toSignedOut(context)
}

/** `null`: it isn't of this browser, or was used. */
async function departureUrl(context: Context, id: string) {
  const left = await context.open(context.cookie("state") ?? "")
  const departure = left && (await context.records.departure.take({ id }))
  if (!departure) return null
  const params = JSON.parse(departure.params) as Readonly<Record<string, string>>
  if (!equal(String(left["state"]), params["state"] ?? "")) return null
  const openId = await context.openId(departure.provider)
  return openId && openId.endSession(params).catch(() => null)
}

/** GET logout/return: the user comes back from the provider (§3). */
export async function comeBack(context: Context): Promise<Result> {
  const sealed = context.cookie("state")
  const left = sealed === undefined ? null : await context.open(sealed)
  if (sealed !== undefined) context.setCookie("state", null)
  if (left === null || !equal(String(left["state"]), context.request.query["state"] ?? "")) return toSignedOut(context)
  return context.redirect({ url: String(left["to"]) })
}

/** The page that says that no user is signed in, or else asks. */
async function toSignedOut(context: Context): Promise<Result> {
  return context.redirect({ url: new URL("signout", context.accountUrl).href })
}
