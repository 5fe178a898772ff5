import type { JSONWebKeySet } from "jose"
import { applyFaults, faultsAt } from "../faults/fault.js"
import { endpointsOf } from "./endpoints.js"
import type { Answer } from "./messages.js"
import { send } from "./send.js"
import type { ProviderState } from "./state.js"

/** OpenID Connect Discovery 1.0 §4.2 */
export async function answerDiscovery(op: ProviderState): Promise<Response> {
  const correct = { status: 200, headers: {}, body: metadata(op) }
  return send(await applyFaults<Answer, Response>(correct, faultsAt(op.faults, "discovery")))
}

export async function answerJwks(op: ProviderState): Promise<Response> {
  const keys = await applyFaults<JSONWebKeySet, Response>(await op.keys.published(), faultsAt(op.faults, "jwks"))
  return keys instanceof Response ? keys : send({ status: 200, headers: {}, body: { ...keys } })
}

function metadata(op: ProviderState): Record<string, unknown> {
  const endpoints = endpointsOf(op.issuer)
  return {
    issuer: op.issuer,
    authorization_endpoint: endpoints.authorization,
    token_endpoint: endpoints.token,
    userinfo_endpoint: endpoints.userinfo,
    jwks_uri: endpoints.jwks,
    end_session_endpoint: endpoints.endSession,
    response_types_supported: ["code"],
    response_modes_supported: ["query", "form_post"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    subject_types_supported: ["public"],
    scopes_supported: ["openid", "profile", "email", "offline_access"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: op.authentication === undefined ? secretMethods : [op.authentication],
    token_endpoint_auth_signing_alg_values_supported: ["HS256", "RS256", "PS256", "ES256", "EdDSA"],
    id_token_signing_alg_values_supported: [op.algorithm],
    ...(op.userinfo === "jwt" ? { userinfo_signing_alg_values_supported: [op.algorithm] } : {}),
    ...(op.issParameter ? { authorization_response_iss_parameter_supported: true } : {}),
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
  }
}

/** Authentication methods that need only the client secret. */
export const secretMethods: readonly string[] = ["client_secret_basic", "client_secret_post", "client_secret_jwt"]
