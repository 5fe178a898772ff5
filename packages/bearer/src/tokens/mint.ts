import { type SignInFacts, toBase64Url } from "@latchkey/core/module"
import type { Context } from "../context.js"
import { jsonToBase64Url } from "../encoding.js"
import { sign } from "../keys/jwk.js"
import { keyRing } from "../keys/key-ring.js"
import type { TokenRequest } from "../options.js"
import { issuerOf, type Site } from "../site.js"

/** What a token says. */
export interface Grant extends TokenRequest, Pick<SignInFacts, "authTime" | "amr" | "acr"> {
  /** The refresh family that the token ends with, for introspection. */
  readonly family?: string
}

export interface AccessTokenAnswer {
  readonly token: string
  /** Seconds since 1970. */
  readonly expires: number
}

/** An access token (RFC 9068). `null`: the application refuses it, or has disabled the user. */
export async function mint(site: Site, context: Context, grant: Grant): Promise<AccessTokenAnswer | null> {
  const { userId, clientId, audience, scope, authTime, amr, acr, family } = grant
  // Before anything else: what `revoke` ends meanwhile must have been made before.
  const iat = Math.floor(context.now() / 1000)
  if (await context.users.isDisabled(userId)) return null
  const more = (await site.claims?.({ userId, clientId, audience, scope })) ?? (site.claims === undefined ? {} : null)
  if (more === null) return null
  const expires = iat + site.maxAge
  const id = toBase64Url(context.random(16))
  const claims = {
    ...more,
    iss: issuerOf(site, context),
    sub: userId,
    aud: audience,
    client_id: clientId,
    iat,
    exp: expires,
    jti: family === undefined ? id : `${family}.${id}`,
    // What isn't known must not come from `more`.
    scope: scope.length === 0 ? undefined : scope.join(" "),
    auth_time: authTime,
    amr: amr.length === 0 ? undefined : amr,
    acr,
    nbf: undefined,
    cnf: undefined,
  }
  const { signing } = await keyRing(site, context)
  const header = { alg: signing.algorithm, typ: "at+jwt", kid: signing.kid }
  const text = `${jsonToBase64Url(header)}.${jsonToBase64Url(claims)}`
  return { token: `${text}.${toBase64Url(await sign(signing, text))}`, expires }
}
