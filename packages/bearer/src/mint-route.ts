import type { ModuleUser } from "@latchkey/core/module"
import type { Context, Result } from "./context.js"
import { audienceIn } from "./oauth/clients.js"
import { answerWith, hasEnded } from "./oauth/families.js"
import { textIn } from "./oauth/fields.js"
import { OAuthProblem } from "./oauth/problem.js"
import type { Minted, MintOptions } from "./options.js"
import { ownClient, type Site } from "./site.js"
import { type AccessTokenAnswer, mint } from "./tokens/mint.js"

/** POST mint: a page of the site gets a token for an API, with the session cookie and the CSRF token. */
export async function mintRoute(site: Site, context: Context, user: ModuleUser | null): Promise<Result> {
  if (user === null) return context.json({ error: "login_required" }, 401)
  const { fields } = context.request
  try {
    await context.limit("mint", user.id)
    const scope = (textIn(fields, "scope") ?? "").split(" ").filter((each) => each !== "")
    const asked = { audience: textIn(fields, "audience"), scope }
    const minted = await mintFor(site, context, user, asked)
    if (minted === null) return context.json({ error: "access_denied" }, 403)
    return context.json({ ...answerWith(site, minted), scope: scope.join(" ") })
  } catch (cause) {
    if (!(cause instanceof OAuthProblem)) throw cause
    return context.json({ error: cause.code, error_description: cause.message }, 400)
  }
}

/** @throws OAuthProblem */
async function mintFor(
  site: Site,
  context: Context,
  { id: userId }: ModuleUser,
  { audience: asked, scope = [] }: MintOptions,
): Promise<AccessTokenAnswer | null> {
  const audience = audienceIn(site, asked)
  if (!scope.every((each) => site.scopes.includes(each)))
    throw new OAuthProblem("invalid_scope", "A scope isn't one of `scopes`")
  const facts = await context.signIn()
  if (facts === null) return null
  const { authTime, amr, acr } = facts
  if (await hasEnded(site, context, userId, facts)) return null
  return mint(site, context, { userId, clientId: ownClient, audience, scope, authTime, amr, acr })
}

/** The same for server code. @throws TypeError if the audience or a scope isn't one of the options */
export async function mintForRequest(site: Site, context: Context, asked: MintOptions): Promise<Minted | null> {
  const user = await context.user()
  if (user === null) return null
  try {
    const minted = await mintFor(site, context, user, asked)
    return minted && { accessToken: minted.token, expiresAt: new Date(minted.expires * 1000) }
  } catch (cause) {
    if (cause instanceof OAuthProblem) throw new TypeError(`bearer.mint: ${cause.message}`, { cause })
    throw cause
  }
}
