import type { Context, Result } from "./context.js"
import { keyRing, keySetMaxAge } from "./keys/key-ring.js"
import { offline } from "./oauth/clients.js"
import { endpoint, issuerOf, type Site } from "./site.js"

// What verifiers and clients read. It's the same for everyone, so caches may keep it.

const headers = {
  "cache-control": `public, max-age=${keySetMaxAge}`,
  "access-control-allow-origin": "*",
  vary: "Accept",
}

/** GET jwks (RFC 7517). */
export async function keySet(site: Site, context: Context): Promise<Result> {
  const { published } = await keyRing(site, context)
  return context.json({ keys: published.map((key) => key.public) }, 200, headers)
}

/** GET .well-known/oauth-authorization-server (RFC 8414). */
export async function metadata(site: Site, context: Context): Promise<Result> {
  const at = (route: string) => endpoint(context, route)
  const { published } = await keyRing(site, context)
  return context.json(
    {
      issuer: issuerOf(site, context),
      jwks_uri: at("jwks"),
      ...(site.clients.length > 0 && {
        authorization_endpoint: at("authorize"),
        token_endpoint: at("token"),
        revocation_endpoint: at("revoke"),
        revocation_endpoint_auth_methods_supported: ["none"],
        token_endpoint_auth_methods_supported: ["none"],
        grant_types_supported: ["authorization_code", "refresh_token"],
        code_challenge_methods_supported: ["S256"],
        authorization_response_iss_parameter_supported: true,
      }),
      ...(site.introspection !== undefined && {
        introspection_endpoint: at("introspect"),
        introspection_endpoint_auth_methods_supported: ["client_secret_basic"],
      }),
      response_types_supported: site.clients.length > 0 ? ["code"] : [],
      scopes_supported: [...site.scopes, offline],
      access_token_signing_alg_values_supported: [...new Set(published.map(({ algorithm }) => algorithm))],
    },
    200,
    // The URLs have the host of the request, which a shared cache may not distinguish.
    { ...headers, "cache-control": `private, max-age=${keySetMaxAge}` },
  )
}
