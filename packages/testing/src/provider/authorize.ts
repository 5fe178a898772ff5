import { liarsAbout, tell } from "../lies/lie.js"
import { know } from "../secrets.js"
import { endpointsOf } from "./endpoints.js"
import type { AuthorizationAnswer, Consent } from "./model.js"
import { type ProviderState, randomToken, secondsNow } from "./state.js"

type Params = Readonly<Record<string, string>>

/** Codes live as long as RFC 6749 §4.1.2 advises at most. */
const codeLifetime = 10 * 60_000

export async function authorize(
  op: ProviderState,
  address: string | URL,
  consent: Consent,
): Promise<AuthorizationAnswer> {
  const params = readRequest(op, new URL(address))
  op.authorizations.push(params)
  const redirectUri = trustedRedirectUri(op, params)
  const truth = {
    ...decide(op, params, redirectUri, consent),
    ...(params["state"] === undefined ? {} : { state: params["state"] }),
    ...(op.issParameter ? { iss: op.issuer } : {}),
  }
  const told = await tell<Params, never>(truth, liarsAbout(op.lies, "authorize"))
  return params["response_mode"] === "form_post"
    ? { method: "POST", action: redirectUri, fields: told }
    : { method: "GET", location: withQuery(redirectUri, told) }
}

export function withQuery(address: string, params: Params): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(params)) url.searchParams.append(name, value)
  return url.href
}

function readRequest(op: ProviderState, url: URL): Params {
  const { authorization } = endpointsOf(op.issuer)
  if (`${url.origin}${url.pathname}` !== authorization) {
    throw new Error(
      `The provider has no authorization endpoint at ${url.origin}${url.pathname}: it is ${authorization}`,
    )
  }
  const names = [...url.searchParams.keys()]
  const repeated = names.find((name, at) => names.indexOf(name) !== at)
  // RFC 6749 §3.1: parameters must not be included more than once.
  if (repeated !== undefined) throw new Error(`The authorization request has "${repeated}" twice: send it once`)
  return Object.fromEntries(url.searchParams)
}

/** RFC 6749 §4.1.2.1: with an unknown client or address there is nobody to redirect to. */
function trustedRedirectUri(op: ProviderState, params: Params): string {
  const { client_id: clientId, redirect_uri: redirectUri } = params
  if (clientId !== op.clientId) throw new Error(`The provider does not know client "${clientId}": use op.clientId`)
  if (redirectUri === undefined) throw new Error("The authorization request has no redirect_uri: send one")
  if (op.redirectUris !== undefined && !op.redirectUris.includes(redirectUri)) {
    throw new Error(`${redirectUri} is not registered: add it to redirectUris`)
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
  if (op.people[consent.as] === undefined) throw new Error(`Nobody is called "${consent.as}": add them to op.people`)
  return { code: issueCode(op, params, redirectUri, consent.as) }
}

function problemWith(params: Params): string | undefined {
  if (params["response_type"] !== "code") return "unsupported_response_type"
  if (params["code_challenge"] === undefined && params["code_challenge_method"] !== undefined) return "invalid_request"
  if (params["code_challenge"] !== undefined && params["code_challenge_method"] !== "S256") return "invalid_request"
  // OpenID Connect Core §3.1.2.1: a new login is asked for, and no page may be shown.
  if (params["prompt"] === "none" && params["max_age"] === "0") return "login_required"
  return undefined
}

function issueCode(op: ProviderState, params: Params, redirectUri: string, person: string): string {
  const code = randomToken("code")
  know("code", code)
  op.codes.set(code, {
    grant: {
      person,
      scope: params["scope"] ?? "",
      nonce: params["nonce"],
      acr: params["acr_values"]?.split(" ")[0],
      wantsAuthTime: params["max_age"] !== undefined,
      authTime: secondsNow(op),
      sid: randomToken("sid"),
    },
    redirectUri,
    challenge: params["code_challenge"],
    expires: op.now() + codeLifetime,
    used: false,
  })
  return code
}
