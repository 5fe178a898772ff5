import { type QwikAuthConfig, setEnvDefaults } from "@auth/qwik"
import Resend from "@auth/qwik/providers/resend"
import type { RequestHandler } from "@builder.io/qwik-city"

const variables: Readonly<Record<string, string>> = {
  AUTH_SECRET: "old",
  AUTH_SECRET_1: "new",
  AUTH_TRUST_HOST: "true",
  AUTH_REDIRECT_PROXY_URL: "https://proxy.test/auth",
  AUTH_OP_ID: "id",
  AUTH_OP_SECRET: "secret",
  AUTH_OP_ISSUER: "https://op.test",
  AUTH_RESEND_KEY: "key",
}

/** What `setEnvDefaults` writes into a configuration. */
export const onGet: RequestHandler = ({ json }) => {
  const config: QwikAuthConfig = { providers: [{ id: "op", name: "Acme", type: "oidc" }, Resend] }
  setEnvDefaults({ get: (name: string) => variables[name] }, config)
  const { basePath, secret, trustHost, redirectProxyUrl, skipCSRFCheck } = config
  const providers = config.providers.map((provider) => {
    const { id, clientId, clientSecret, issuer, apiKey } = Object(
      typeof provider === "function" ? provider() : provider,
    )
    return { id, clientId, clientSecret, issuer, apiKey }
  })
  json(200, { basePath, secret, trustHost, redirectProxyUrl, skips: skipCSRFCheck !== undefined, providers })
}
