import { expectNoNonce, getValidatedIdTokenClaims } from "oauth4webapi"
import { AuthError } from "../../errors.js"
import type { Auth } from "../../model/auth.js"
import type { Incoming, Params } from "../../model/http.js"
import type { ProviderContext, RawProfile } from "../../model/provider.js"
import type { OAuthProvider } from "../../model/resolved-provider.js"
import type { TokenSet } from "../../model/user.js"
import { callbackAddress } from "./address.js"
import { clientAuthentication, clientOf } from "./client.js"
import type { Flow } from "./flow.js"
import { assertIdToken, signingAlgorithms, tenantIssuer } from "./id-token.js"
import { verifySignature } from "./keys.js"
import { politeFetch, ProviderFault, request } from "./request.js"
import type { Server } from "./server.js"
import { checkTokens, tokenBody } from "./token.js"

/** Everything that one callback is about. */
export interface Exchange {
  readonly auth: Auth
  readonly provider: OAuthProvider
  readonly incoming: Incoming
  readonly params: Params
  readonly flow: Flow
  readonly server: Server
}

export interface Redeemed {
  readonly tokens: TokenSet
  /** Verified claims of the ID token; `undefined` for plain OAuth 2. */
  readonly claims: RawProfile | undefined
}

/** Code → tokens, and what the ID token says if there has to be one. */
export async function redeem(exchange: Exchange): Promise<Redeemed> {
  const { auth, provider, server, flow } = exchange
  const body = await requestTokens(exchange)
  const client = clientOf(auth, provider)
  const tokenAddress = server.token?.href ?? provider.id
  if (provider.type === "oauth") {
    const { tokens } = await checkTokens(body, { as: { issuer: tokenAddress }, client, options: undefined })
    return { tokens, claims: undefined }
  }
  const issuer = tenantIssuer(exchange, body["id_token"])
  const as = { issuer, ...signingAlgorithms(server.metadata?.idTokenAlgorithms) }
  const maxAge = auth.security.enforceIssuerChecks && flow.maxAge !== undefined ? { maxAge: flow.maxAge } : {}
  const options = { requireIdToken: true, expectedNonce: flow.nonce ?? expectNoNonce, ...maxAge }
  const { answer, tokens } = await checkTokens(body, { as, client, options })
  const claims = getValidatedIdTokenClaims({ ...tokens, ...Object.create(null) })
  return { tokens, claims }
}
