import { customFetch } from "@latchkey/core"
import type { Fetch, OAuth2Config, OIDCConfig, RawProfile } from "@latchkey/core/types"
import { endpointsOf } from "./endpoints.js"
import type { ProviderState } from "./state.js"

export function oidcConfig(
  op: ProviderState,
  id: string,
  fetch: Fetch,
  overrides: Partial<OIDCConfig> = {},
): OIDCConfig {
  return {
    id,
    name: "Fake provider",
    type: "oidc",
    issuer: op.issuer,
    ...credentials(op),
    [customFetch]: fetch,
    ...overrides,
  }
}

export function oauthConfig(
  op: ProviderState,
  id: string,
  fetch: Fetch,
  overrides: Partial<OAuth2Config> = {},
): OAuth2Config {
  const { authorization, token, userinfo } = endpointsOf(op.issuer)
  return {
    id,
    name: "Fake provider",
    type: "oauth",
    authorization: { url: authorization, params: { scope: "read:user" } },
    token,
    userinfo,
    profile: readProfile,
    ...credentials(op),
    [customFetch]: fetch,
    ...overrides,
  }
}

function credentials(op: ProviderState): Pick<OIDCConfig, "clientId" | "clientSecret" | "client"> {
  const client = {
    ...(op.authentication === undefined ? {} : { token_endpoint_auth_method: op.authentication }),
    ...(op.algorithm === "HS256" ? { id_token_signed_response_alg: op.algorithm } : {}),
    ...(op.userinfo === "jwt" ? { userinfo_signed_response_alg: op.algorithm } : {}),
  }
  return {
    clientId: op.clientId,
    ...(op.authentication === "none" ? {} : { clientSecret: op.clientSecret }),
    ...(Object.keys(client).length === 0 ? {} : { client }),
  }
}

function readProfile({ sub, name, email, picture }: RawProfile): {
  id: string
  name: string | null
  email: string | null
  image: string | null
} {
  return { id: String(sub), name: textOf(name), email: textOf(email), image: textOf(picture) }
}

function textOf(claim: unknown): string | null {
  return typeof claim === "string" ? claim : null
}
