import { equal } from "@latchkey/core/module"
import type { Context, Result } from "../context.js"
import type { ResourceServer } from "../options.js"
import type { Site } from "../site.js"
import { isActive, verifyOwn } from "../tokens/own.js"
import { requireClient } from "./clients.js"
import { openRefreshToken } from "./families.js"
import { textIn } from "./fields.js"
import { OAuthProblem } from "./problem.js"

/** POST revoke (RFC 7009): an app signs its user out. */
export async function revocationEndpoint(site: Site, context: Context): Promise<Result> {
  const { fields } = context.request
  const client = requireClient(site, textIn(fields, "client_id"))
  const token = textIn(fields, "token") ?? ""
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token))
    throw new OAuthProblem("unsupported_token_type", "An access token ends by itself. Revoke the refresh token")
  const opened = await openRefreshToken(context, token)
  if (opened?.client === client.id) {
    const family = await context.records.family.get({ id: opened.family })
    if (family !== null) {
      await context.records.family.remove({ id: opened.family })
      await context.emit("signed-out", { id: family.userId }, { data: { client: client.id } })
    }
  }
  // The same answer for a token that doesn't exist (§2.2).
  return context.json({})
}

/** POST introspect (RFC 7662): an API asks whether a token is still active. */
export async function introspectionEndpoint(site: Site, context: Context): Promise<Result> {
  const server = resourceServer(site, context)
  if (server === undefined) {
    // An API asks as often as it's called, so only guesses of its secret are limited.
    await context.limit("token")
    throw new OAuthProblem("invalid_client", "Authenticate with the id and secret of `introspection`")
  }
  const audiences = server.audience === undefined ? site.audiences : [server.audience]
  const token = await verifyOwn(site, context, textIn(context.request.fields, "token") ?? "", audiences)
  if (token === null || !(await isActive(site, context, token))) return context.json({ active: false })
  return context.json({ ...token, active: true, token_type: "Bearer" })
}

function resourceServer({ introspection = [] }: Site, { request }: Context): ResourceServer | undefined {
  const [, given = ""] = /^Basic +([\w+/=]+)$/i.exec(request.headers.get("authorization") ?? "") ?? []
  const [id, secret] = credentialsIn(given)
  const server = introspection.find((each) => each.id === id)
  return server !== undefined && equal(secret, server.secret) ? server : undefined
}

/** RFC 6749 §2.3.1: both parts are encoded as in a form. */
function credentialsIn(base64: string): readonly [string, string] {
  try {
    const text = atob(base64)
    const colon = text.indexOf(":")
    return [decodeURIComponent(text.slice(0, colon)), decodeURIComponent(text.slice(colon + 1))]
  } catch {
    return ["", ""]
  }
}
