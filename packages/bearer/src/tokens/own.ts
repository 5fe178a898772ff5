import type { Background, Context } from "../context.js"
import { keyRing } from "../keys/key-ring.js"
import { isCutOff } from "../oauth/families.js"
import { issuerOf, ownClient, type Site } from "../site.js"
import { type AccessToken, createVerifier, TokenError } from "../verify/verify.js"

/** A token that this site made for one of these APIs. `null`: it's none. */
export async function verifyOwn(
  site: Site,
  context: Context,
  token: string,
  audiences: readonly string[],
): Promise<AccessToken | null> {
  if (token === "") return null
  const { published } = await keyRing(site, context)
  const keys = published.map((key) => key.public)
  for (const audience of audiences) {
    try {
      return await createVerifier({ issuer: issuerOf(site, context), audience, keys, now: context.now })(token)
    } catch (cause) {
      if (!(cause instanceof TokenError)) throw cause
    }
  }
  return null
}

/** Whether the user, and the app's sign-in, still exist. A token for the site itself also ends with `revoke`. */
export async function isActive(
  site: Site,
  context: Background,
  { sub, jti, iat, client_id }: AccessToken,
): Promise<boolean> {
  const { users, records } = context
  if (site.isStateless) return !(await users.isDisabled(sub))
  if ((await users.byId(sub)) === null) return false
  if (await isCutOff(context, sub, new Date(iat * 1000))) return false
  const [family, id] = jti.split(".")
  if (client_id === ownClient || id === undefined) return true
  const found = await records.family.get({ id: family ?? "" })
  return found !== null && (found.session === undefined || users.hasSession(sub, found.session))
}
