import { applyFaults, faultsAt } from "../faults/fault.js"
import { trackSecret } from "../secrets.js"
import { endpointsOf } from "./endpoints.js"
import type { AuthorizationAnswer, Consent } from "./model.js"
import { type ProviderState, randomToken, secondsNow } from "./state.js"

type Params = Readonly<Record<string, string>>

/** The maximum that RFC 6749 §4.1.2 recommends. */
const codeLifetimeMs = 10 * 60_000

export async function authorize(
  op: ProviderState,
  authorizationUrl: string | URL,
  consent: Consent,
): Promise<AuthorizationAnswer> {
  const params = readRequest(op, new URL(authorizationUrl))
  op.authorizations.push(params)
  const redirectUri = trustedRedirectUri(op, params)
  const correct = {
    ...decide(op, params, redirectUri, consent),
    ...(params["state"] === undefined ? {} : { state: params["state"] }),
    ...(op.issParameter ? { iss: op.issuer } : {}),
  }
  const sent = await applyFaults<Params, never>(correct, faultsAt(op.faults, "authorize"))
  return params["response_mode"] === "form_post"
    ? { method: "POST", action: redirectUri, fields: sent }
    : { method: "GET", location: withQuery(redirectUri, sent) }
}

export function withQuery(base: string, params: Params): string {
  const url = new URL(base)
  for (const [name, value] of Object.entries(params)) url.searchParams.append(name, value)
  return url.href
}

function readRequest(op: ProviderState, url: URL): Params {
  const { authorization } = endpointsOf(op.issuer)
  if (`${url.origin}${url.pathname}` !== authorization) {
    throw new Error(
      `${url.origin}${url.pathname} isn't the authorization endpoint of the provider. Use ${authorization}.`,
    )
  }
  const names = [...url.searchParams.keys()]
  const repeated = names.find((name, at) => names.indexOf(name) !== at)
  // RFC 6749 §3.1: parameters must not be included more than once.
  if (repeated !== undefined) throw new Error(`The authorization request repeats "${repeated}". Send it once.`)
  return Object.fromEntries(url.searchParams)
}

/** RFC 6749 §4.1.2.1: the provider must not redirect if the client or the redirect URI is unknown. */
function trustedRedirectUri(op: ProviderState, params: Params): string {
  const { client_id: clientId, redirect_uri: redirectUri } = params
  if (clientId !== op.clientId) throw new Error(`The provider has no client "${clientId}". Use op.clientId.`)
  if (redirectUri === undefined) throw new Error("The authorization request has no redirect_uri. Add it.")
  if (op.redirectUris !== undefined && !op.redirectUris.includes(redirectUri)) {
    throw new Error(`The redirect URI ${redirectUri} isn't registered. Add it to redirectUris.`)
  }
  return redirectUri
}

function decide(op: ProviderState, params: Params, redirectUri: string, consent: Consent): Params {
  const problem = problemWith(params)
  if (problem !== undefined) return { error: problem }
  if (!("as" in consent)) {
    return {
      error: consent.error,
      ...(consent.description === undefined ? {} : { error_description: consent.description }),
    }
  }
  if (op.people[consent.as] === undefined)
    throw new Error(`The provider has no user "${consent.as}". Add the user to op.people.`)
  return { code: issueCode(op, params, redirectUri, consent.as) }
}

function problemWith(params: Params): string | undefined {
  if (params["response_type"] !== "code") return "unsupported_response_type"
  if (params["code_challenge"] === undefined && params["code_challenge_method"] !== undefined) return "invalid_request"
  if (params["code_challenge"] !== undefined && params["code_challenge_method"] !== "S256") return "invalid_request"
  // OpenID Connect Core §3.1.2.1: max_age=0 requires a new login, which prompt=none doesn't allow.
  if (params["prompt"] === "none" && params["max_age"] === "0") return "login_required"
  return undefined
}

function issueCode(op: ProviderState, params: Params, redirectUri: string, user: string): string {
  const code = randomToken("code")
  trackSecret("code", code)
  op.codes.set(code, {
    grant: {
      user,
      scope: params["scope"] ?? "",
      nonce: params["nonce"],
      acr: params["acr_values"]?.split(" ")[0],
      wantsAuthTime: params["max_age"] !== undefined,
      authTime: secondsNow(op),
      sid: randomToken("sid"),
    },
    redirectUri,
    challenge: params["code_challenge"],
    expires: op.now() + codeLifetimeMs,
    used: false,
  })
  return code
}
