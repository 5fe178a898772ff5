import { type CryptoKey, generateKeyPair } from "jose"
import { authorize } from "./authorize.js"
import { oauthConfig, oidcConfig } from "./config.js"
import { fetchFrom } from "./fetch.js"
import { createKeyRing } from "./keys.js"
import { listen } from "./listen.js"
import { endSession, logoutToken } from "./logout.js"
import type { FakeProvider, ProviderOptions } from "./model.js"
import { peopleWith } from "./people.js"
import type { ProviderState } from "./state.js"

/**
 * Creates a fake OAuth 2 and OpenID provider. Your app reaches it through its `fetch` function, without a network. It
 * follows RFC 6749, 7636, 7523, 9207, OpenID Connect Core and Discovery strictly. To make it misbehave, add `faults`.
 *
 * @example
 * ```ts
 * import { createProvider } from "@latchkey/testing"
 * const op = createProvider({ algorithm: "ES256" })
 * const config = { secret: "0123456789abcdef0123456789abcdef", trustHost: true, providers: [op.provider()] }
 * ```
 */
export function createProvider(options: ProviderOptions = {}): FakeProvider {
  const op = stateFrom(options)
  const fetch = fetchFrom(op)
  const id = options.id ?? "op"
  return {
    id,
    get issuer() {
      return op.issuer
    },
    clientId: op.clientId,
    clientSecret: op.clientSecret,
    people: op.people,
    fetch,
    requests: op.requests,
    requestsTo: (endpoint) => op.requests.filter((request) => request.endpoint === endpoint),
    authorizations: op.authorizations,
    authorize: (url, consent) => authorize(op, url, consent),
    endSession: (url) => endSession(op, url),
    logoutToken: (subject, change) => logoutToken(op, subject, change),
    sign: (token) => op.keys.sign(token),
    rotateKeys: ({ keepOld = false } = {}) => op.keys.rotate(keepOld),
    clientPrivateKey: () => registerClientKey(op),
    inject: (...faults) => {
      op.faults = [...op.faults, ...faults]
      return () => {
        op.faults = op.faults.filter((fault) => !faults.includes(fault))
      }
    },
    provider: (overrides) => oidcConfig(op, id, fetch, overrides),
    oauthProvider: (overrides) => oauthConfig(op, id, fetch, overrides),
    listen: (port) => listen(op, fetch, port),
  }
}

function stateFrom(options: ProviderOptions): ProviderState {
  const {
    issuer = "https://op.test",
    clientId = "latchkey",
    clientSecret = "fake-client-secret-of-forty-three-characters",
    algorithm = "RS256",
    userinfo = "json",
    issParameter = true,
    lifetime = 3600,
    clock = Date,
  } = options
  return {
    issuer,
    clientId,
    clientSecret,
    algorithm,
    userinfo,
    issParameter,
    lifetime,
    authentication: options.authentication,
    redirectUris: options.redirectUris,
    people: peopleWith(options.people),
    keys: createKeyRing(issuer, algorithm, clientSecret),
    now: () => clock.now(),
    clientPublicKey: undefined,
    faults: options.faults === undefined ? [] : [options.faults].flat(),
    codes: new Map(),
    accessTokens: new Map(),
    refreshTokens: new Map(),
    assertionIds: new Set(),
    requests: [],
    authorizations: [],
  }
}

async function registerClientKey(op: ProviderState): Promise<CryptoKey> {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true })
  op.clientPublicKey = publicKey
  return privateKey
}
