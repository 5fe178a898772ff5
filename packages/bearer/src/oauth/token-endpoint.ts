import { equal } from "@latchkey/core/module"
import type { Context, Result } from "../context.js"
import { sha256 } from "../encoding.js"
import type { Client } from "../options.js"
import type { Site } from "../site.js"
import { assertTarget, requireClient } from "./clients.js"
import { begin, type Code, familyOf, openRefreshToken, refresh, type TokenAnswer } from "./families.js"
import { textIn } from "./fields.js"
import { OAuthProblem } from "./problem.js"

/** POST token: the first tokens for a code, or the next ones for a refresh token. */
export async function tokenEndpoint(site: Site, context: Context): Promise<Result> {
  const { fields } = context.request
  const client = requireClient(site, textIn(fields, "client_id"))
  switch (fields["grant_type"]) {
    case "authorization_code":
      return context.json(await redeem(site, context, client))
    case "refresh_token":
      return context.json(await renew(site, context, client))
    default:
      throw new OAuthProblem("unsupported_grant_type", "`grant_type` has to be `authorization_code` or `refresh_token`")
  }
}

async function redeem(site: Site, context: Context, client: Client): Promise<TokenAnswer> {
  const { records, request } = context
  const code = textIn(request.fields, "code")
  const verifier = textIn(request.fields, "code_verifier")
  if (code === undefined || verifier === undefined || !/^[\w.~-]{43,128}$/.test(verifier))
    throw new OAuthProblem("invalid_request", "`code` or `code_verifier` is missing, or isn't valid")
  const [found, family] = [await useCode(context, await sha256(code)), await familyOf(code)]
  if (found === null) {
    await records.family.remove({ id: family })
    throw unusable()
  }
  const isOwn = found.clientId === client.id && found.redirectUri === textIn(request.fields, "redirect_uri")
  if (!isOwn || !equal(await sha256(verifier), found.challenge)) throw unusable()
  assertTarget(found, textIn(request.fields, "resource"))
  return begin(site, context, found, family)
}

/**
 * Uses a code up, also for a thief who lacks the verifier. The record stays until it expires, because the request that was first may
 * still be under way, and has to find that another one followed (RFC 6749 §4.1.2). `null`: it isn't the first use.
 */
async function useCode({ records: { code } }: Context, hash: string): Promise<Code | null> {
  for (;;) {
    const found = await code.get({ hash })
    if (found === null) return null
    const uses = (found.uses ?? 0) + 1
    // After the second one, nothing more is to be said.
    if (uses > 2) return null
    if (await code.swap(found, { uses })) return uses === 1 ? found : null
  }
}

function unusable(): OAuthProblem {
  return new OAuthProblem("invalid_grant", "The code has expired, was used before, or belongs to another request")
}

async function renew(site: Site, context: Context, client: Client): Promise<TokenAnswer> {
  const token = await openRefreshToken(context, textIn(context.request.fields, "refresh_token") ?? "")
  if (token === null || token.client !== client.id)
    throw new OAuthProblem("invalid_grant", "The refresh token has expired, or belongs to another client")
  return refresh(site, context, token)
}
