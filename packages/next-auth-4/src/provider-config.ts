import { customFetch } from "@latchkey/core/env"
import { InvalidConfig } from "@latchkey/core/errors"
import email from "@latchkey/core/providers/email"
import type { Provider as EngineProvider } from "@latchkey/core/providers"
import { clientFor } from "./endpoint-client.js"
import type { Provider } from "./providers/index.js"
import type { Anything } from "./model.js"
import type { AuthOptions } from "./types.js"
import { bodyOf, currentVisit } from "./visit.js"

/**
 * The providers for the engine.
 *
 * @throws InvalidConfig for a provider of OAuth 1.0
 */
export function providersOf({ providers }: AuthOptions): EngineProvider[] {
  return providers.flat().map((provider) => providerFor(provider))
}

function providerFor(given: Provider): EngineProvider {
  const { options, ...rest }: Anything = given
  const provider = merged(rest, options)
  if (provider.type === "credentials") return credentialsFor(provider)
  return provider.type === "email" ? emailFor(provider) : oauthFor(provider)
}

/** As version 4: objects are merged, and an option that is `undefined` doesn't count. */
function merged(base: Anything, over: Anything): Anything {
  const result = { ...base }
  for (const [name, value] of Object.entries(over ?? {})) {
    if (value === undefined) continue
    result[name] = isPlain(value) && isPlain(base?.[name]) ? merged(base[name], value) : value
  }
  return result
}

function isPlain(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

function credentialsFor({ id, name, credentials, authorize, style }: Anything): EngineProvider {
  return {
    id,
    name,
    type: "credentials",
    credentials: credentials ?? {},
    ...(style && { style }),
    async authorize(_: unknown, asked: Request) {
      const visit = currentVisit()
      const { query = {}, headers = {}, method = "POST" }: Anything = visit?.incoming ?? {}
      const body = await bodyOf(asked)
      try {
        return await authorize(body, { body, query, headers, method })
      } catch (cause) {
        if (visit !== undefined) visit.thrownByAuthorize = cause
        throw cause
      }
    },
  } as EngineProvider
}

/** Version 4 sent a link and no code. */
function emailFor(given: Anything): EngineProvider {
  const { type: _, sendVerificationRequest, ...provider } = given
  const { options, ...known }: Anything = email(provider)
  return { ...known, ...options, ...(sendVerificationRequest && { sendVerificationRequest }), code: false }
}

function oauthFor(provider: Anything): EngineProvider {
  const { id, version = "", protocol, httpOptions, profile, style } = provider
  if (String(version).startsWith("1")) throw oauth1(provider)
  const { options: _, protocol: __, version: ___, httpOptions: ____, style: _____, ...rest } = provider
  return {
    ...rest,
    id,
    ...kindOf(provider),
    authorization: withScope(provider.authorization),
    ...(protocol === undefined && endpointsOf(provider)),
    checks: [provider.checks ?? "state"].flat(),
    // Version 4 stores everything that the token endpoint returned.
    account: storedTokens,
    ...(profile && { profile: profileOf(profile) }),
    ...(style && { style: { logo: style.logo, brandColor: style.brandColor ?? style.text, icon: style.icon } }),
    ...(httpOptions && { [customFetch]: fetchWith(httpOptions) }),
  }
}

/** A provider of version 4 is one of OpenID Connect if it has an ID token. Those in `providers/` know it. */
function kindOf({ protocol, idToken, wellKnown }: Anything): { readonly type: string; readonly idToken?: boolean } {
  const usesIdToken: boolean = idToken ?? wellKnown?.includes("openid-configuration") ?? false
  const isOpenId = protocol === undefined ? usesIdToken : protocol === "oidc"
  return isOpenId ? { type: "oidc", idToken: usesIdToken } : { type: "oauth" }
}

function endpointsOf(provider: Anything): Anything {
  return { token: withClient(provider.token, provider), userinfo: withClient(provider.userinfo, provider) }
}

/** Version 4 kept when the access token expires, and not after how long. */
function storedTokens(given: Anything): Anything {
  const { expires_in: _, ...tokens } = given
  return tokens
}

function profileOf(profile: Anything): Anything {
  return async (claims: Anything, tokens: Anything) => {
    const user = await profile(claims, storedTokens(tokens))
    const visit = currentVisit()
    if (visit !== undefined) visit.profile = user
    return user
  }
}

function oauth1({ id, name }: Anything): Error {
  const instead =
    id === "twitter"
      ? 'Pass `version: "2.0"` to TwitterProvider, with the client id and secret of OAuth 2.0 from the developer portal'
      : "Use the OAuth 2.0 endpoints of the service, or remove the provider"
  return new InvalidConfig(`The provider ${name} uses OAuth 1.0, which isn't supported. ${instead}`)
}

/** Version 4 asked for the scope `openid` if the provider named none. */
function withScope(given: Anything): Anything {
  const { url, params, ...rest } = typeof given === "string" ? { url: given } : (given ?? {})
  const inUrl = url !== undefined && URL.canParse(url) && new URL(url).searchParams.has("scope")
  return { ...rest, ...(url !== undefined && { url }), params: { ...(!inUrl && { scope: "openid" }), ...params } }
}

/** An own `request` gets a client, and the provider with its URLs. */
function withClient(given: Anything, provider: Anything): Anything {
  if (typeof given?.request !== "function") return given
  return {
    ...given,
    request: (context: Anything) => {
      const whole = { ...provider, signinUrl: context.provider.signinUrl, callbackUrl: context.provider.callbackUrl }
      return given.request({ ...context, provider: whole, client: clientFor(whole, context.provider) })
    },
  }
}

/** `timeout` and `headers` of version 4's HTTP client. */
function fetchWith({ timeout, headers = {}, agent }: Anything): typeof fetch {
  if (agent !== undefined) {
    throw new InvalidConfig(
      "`httpOptions.agent` isn't supported, because requests are made with fetch. Set a dispatcher for the process (`setGlobalDispatcher` of undici, or NODE_USE_ENV_PROXY=1)",
    )
  }
  return async (input, init = {}) => {
    const all = new Headers(init.headers)
    for (const [name, value] of Object.entries(headers)) all.set(name, String(value))
    const signals = [init.signal, timeout === undefined ? undefined : AbortSignal.timeout(timeout)].filter(
      (signal): signal is AbortSignal => signal instanceof AbortSignal,
    )
    return fetch(input, { ...init, headers: all, ...(signals.length > 0 && { signal: AbortSignal.any(signals) }) })
  }
}
