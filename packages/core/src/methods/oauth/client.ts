import {
  type Client,
  type ClientAuth,
  ClientSecretJwt,
  clockSkew,
  modifyAssertion,
  type ModifyAssertionOptions,
  PrivateKeyJwt,
} from "oauth4webapi"
import { AuthError } from "../../errors.js"
import type { AuthContext } from "../../model/auth.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"
import { variableName } from "../../provider-kit/variable-name.js"
import { systemRuntime } from "../../primitives/runtime.js"
import type { Server } from "./server.js"

/** The client as `oauth4webapi` wants it, with its clock set to ours. */
export function clientOf(auth: AuthContext, { clientId, client }: OAuthProvider): Client {
  const {
    id_token_signed_response_alg: idTokenAlg,
    userinfo_signed_response_alg: userinfoAlg,
    default_max_age: maxAge,
    require_auth_time: requireAuthTime,
  } = client
  return {
    client_id: clientId,
    [clockSkew]: Math.floor(auth.runtime.now() / 1000) - Math.floor(systemRuntime.now() / 1000),
    ...(idTokenAlg === undefined ? {} : { id_token_signed_response_alg: idTokenAlg }),
    ...(userinfoAlg === undefined ? {} : { userinfo_signed_response_alg: userinfoAlg }),
    ...(maxAge === undefined ? {} : { default_max_age: maxAge }),
    ...(requireAuthTime === undefined ? {} : { require_auth_time: requireAuthTime }),
  }
}

/**
 * Authenticates the client at the token endpoint (RFC 6749 §2.3, OpenID Connect Core §9).
 *
 * @param now milliseconds since 1970, for a secret that is made for this request
 * @throws AuthError if the method is unknown or its secret is missing
 */
export function clientAuthentication(provider: OAuthProvider, server?: Server, now = 0): ClientAuth {
  const method: string = provider.client.token_endpoint_auth_method ?? defaultMethod(server)
  if (method === "none") return (_as, { client_id }, body) => body.set("client_id", client_id)
  if (method === "private_key_jwt") {
    const key = provider.token.clientPrivateKey
    if (key === undefined) throw misconfigured(provider, "needs `token.clientPrivateKey` for private_key_jwt")
    return PrivateKeyJwt(key, typed)
  }
  const { clientSecret, makeClientSecret } = provider
  if (clientSecret) return withSecret(provider, method, clientSecret)
  if (makeClientSecret === undefined || method !== "client_secret_post") {
    const variable = variableName(provider.id, "SECRET")
    // One template: the minifier of Next.js 14 doesn't escape the backticks of a constant that it puts into a template.
    throw misconfigured(
      provider,
      `has no \`clientSecret\`. Set it, or set \`client.token_endpoint_auth_method\` to "none". The environment variable is ${variable}`,
    )
  }
  return async (as, client, body, headers) => {
    const made = await makeClientSecret({ clientId: client.client_id, now })
    await withSecret(provider, method, made)(as, client, body, headers)
  }
}

function withSecret(provider: OAuthProvider, method: string, secret: string): ClientAuth {
  switch (method) {
    case "client_secret_basic":
      return (_as, { client_id }, _body, headers) =>
        headers.set("authorization", `Basic ${btoa(`${formEncode(client_id)}:${formEncode(secret)}`)}`)
    case "client_secret_post":
      return (_as, { client_id }, body) => {
        body.set("client_id", client_id)
        body.set("client_secret", secret)
      }
    case "client_secret_jwt":
      return ClientSecretJwt(secret, typed)
    default:
      throw misconfigured(provider, "has an unknown `client.token_endpoint_auth_method`")
  }
}

/** Basic is the default of both specifications, unless the server's metadata lists only the other one. */
function defaultMethod(server: Server | undefined): string {
  const methods = server?.metadata?.authMethods ?? []
  const onlyPost = methods.includes("client_secret_post") && !methods.includes("client_secret_basic")
  return onlyPost ? "client_secret_post" : "client_secret_basic"
}

/** An explicit type keeps the assertion from being used for another purpose (RFC 8725 §3.11). */
const typed: ModifyAssertionOptions = {
  [modifyAssertion](header) {
    header["typ"] = "client-authentication+jwt"
  },
}

/** RFC 6749 appendix B. Unreserved characters aren't encoded, for servers that forget to decode. */
function formEncode(text: string): string {
  return encodeURIComponent(text).replaceAll("%20", "+")
}

function misconfigured({ id }: OAuthProvider, problem: string): AuthError {
  return new AuthError(`The provider "${id}" ${problem}`, { providerId: id })
}
