import type { OIDCConfig } from "@latchkey/core/types"
import { type FakeProvider, faults, type Fault, type ProviderOptions, type RecordedRequest } from "@latchkey/testing"
import { expect } from "vitest"
import type { RunName } from "./names.js"

/** What the fake provider does differently in one test of the suite. */
export interface Situation {
  readonly op?: ProviderOptions
  /** Options of the provider at the relying party. */
  readonly provider?: Partial<OIDCConfig>
  /** Whether a user signs in before it begins. */
  readonly signedInBefore?: boolean
  begin?(op: FakeProvider): Promise<Fault | undefined> | Fault | undefined
  /** The reason in the log. */
  readonly logged?: string
  /** Checks more than the outcome. */
  check?(op: FakeProvider): void
}

function elsewhere({ requestsTo }: FakeProvider): readonly string[] {
  return requestsTo("elsewhere").map(({ url }) => url.href)
}

function first(requests: readonly RecordedRequest[]): RecordedRequest {
  const [request] = requests
  if (request === undefined) throw new Error("The provider got no such request")
  return request
}

/** Keys of unknown types, which must be ignored (RFC 7517 §5). */
const unusableKeys = [
  { kty: "AKP", alg: "ML-DSA-999", kid: "post-quantum", use: "sig", pub: "AAAA" },
  { kty: "MADE-UP", kid: "made-up", use: "sig" },
]

const withoutKeyIds: Fault = {
  idToken: (token) => ({ ...token, header: { ...token.header, kid: undefined } }),
  jwks: ({ keys }) => ({ keys: keys.map(({ kid: _kid, ...key }) => key) }),
}

function claimSources(source: Readonly<Record<string, unknown>>): Fault {
  const more = { _claim_names: { address: "src" }, _claim_sources: { src: source } }
  return {
    idToken: (token) => ({ ...token, claims: { ...token.claims, ...more } }),
    userinfo: (answer) => ({ ...answer, body: { ...answer.body, ...more } }),
  }
}

/** Serves the keys only at the `jwks_uri` of the metadata. */
async function movedKeys(op: FakeProvider): Promise<Fault> {
  const keys = `${op.issuer}/keys/of/today`
  const published: unknown = await (await op.fetch(`${op.issuer}/jwks`)).json()
  return {
    discovery: (answer) => ({ ...answer, body: { ...answer.body, jwks_uri: keys } }),
    answer: ({ url, endpoint }) => {
      if (url.href === keys) return Response.json(published)
      return endpoint === "jwks" ? new Response(null, { status: 404 }) : undefined
    },
  }
}

function rotatedBeforeSigning(op: FakeProvider): Fault {
  return {
    answer: ({ endpoint }) => {
      if (endpoint === "token") op.rotateKeys()
      return undefined
    },
  }
}

function checkBasic({ requestsTo }: FakeProvider): void {
  const { headers, form } = first(requestsTo("token"))
  expect(headers.get("authorization")).toMatch(/^Basic /)
  expect([form.has("client_secret"), form.has("client_assertion")]).toEqual([false, false])
}

function checkBearer({ requestsTo }: FakeProvider): void {
  const { headers, url, body } = first(requestsTo("userinfo"))
  expect(headers.get("authorization")).toMatch(/^Bearer access-/)
  expect([url.search, body]).toEqual(["", ""])
}

/** Leaves everything but the subject to userinfo. */
const bareIdToken: Fault = {
  idToken: ({ claims: { name: _name, email: _email, picture: _picture, ...claims }, ...token }) => ({
    ...token,
    claims,
  }),
}

const tampered = (change: Fault): Situation => ({ begin: () => change })

export const situations: Readonly<Record<RunName, Situation>> = {
  "oidcc-client-test": {},
  "oidcc-client-test-invalid-iss": tampered(faults.wrongIssuer),
  "oidcc-client-test-missing-sub": tampered(faults.noSub),
  "oidcc-client-test-invalid-aud": tampered(faults.wrongAud),
  "oidcc-client-test-missing-iat": tampered(faults.noIat),
  "oidcc-client-test-kid-absent-single-jwks": tampered(withoutKeyIds),
  "oidcc-client-test-kid-absent-multiple-jwks": {
    begin: (op) => {
      op.rotateKeys({ keepOld: true })
      return withoutKeyIds
    },
  },
  "oidcc-client-test-idtoken-sig-rs256": { op: { algorithm: "RS256" } },
  "oidcc-client-test-invalid-sig-rs256": { op: { algorithm: "RS256" }, begin: () => faults.badSignature },
  "oidcc-client-test-userinfo-invalid-sub": tampered(faults.userinfoSubMismatch),
  "oidcc-client-test-nonce-invalid": {
    provider: { checks: ["pkce", "state", "nonce"] },
    begin: () => faults.wrongNonce,
    check: ({ authorizations }) => expect(authorizations[0]?.["nonce"]).toMatch(/^[\w-]{22,}$/),
  },
  "oidcc-client-test-scope-userinfo-claims": {
    begin: () => bareIdToken,
    check: ({ authorizations }) => expect(authorizations[0]?.["scope"]).toBe("openid profile email"),
  },
  "oidcc-client-test-client-secret-basic": { op: { authentication: "client_secret_basic" }, check: checkBasic },
  "oidcc-client-test-form-post-error": {
    provider: { authorization: { params: { prompt: "none", max_age: "0" } } },
    logged: "login_required",
    check: ({ authorizations }) => expect(authorizations[0]).toMatchObject({ prompt: "none", max_age: "0" }),
  },
  "oidcc-client-test-discovery-openid-config": {
    check: ({ requestsTo, issuer }) =>
      expect(requestsTo("discovery").map(({ url }) => url.href)).toEqual([
        `${issuer}/.well-known/openid-configuration`,
      ]),
  },
  "oidcc-client-test-discovery-jwks-uri-keys": {
    begin: movedKeys,
    check: (op) => expect(elsewhere(op)).toEqual([`${op.issuer}/keys/of/today`]),
  },
  "oidcc-client-test-discovery-issuer-mismatch": tampered(faults.discoveryWrongIssuer),
  "oidcc-client-test-idtoken-sig-none": tampered(faults.algNoneAdvertised),
  "oidcc-client-test-signing-key-rotation-just-before-signing": {
    signedInBefore: true,
    begin: rotatedBeforeSigning,
    check: ({ requestsTo }) => expect(requestsTo("jwks")).toHaveLength(2),
  },
  "oidcc-client-test-signing-key-rotation": {
    signedInBefore: true,
    begin: (op) => {
      op.rotateKeys()
      return undefined
    },
    check: ({ requestsTo }) => expect(requestsTo("jwks")).toHaveLength(2),
  },
  "oidcc-client-test-userinfo-signed": { op: { userinfo: "jwt" } },
  "oidcc-client-test-missing-aud": tampered(faults.noAud),
  "oidcc-client-test-invalid-sig-hs256": { op: { algorithm: "HS256" }, begin: () => faults.wrongMac },
  "oidcc-client-test-invalid-sig-es256": { op: { algorithm: "ES256" }, begin: () => faults.badSignature },
  "oidcc-client-test-userinfo-bearer-header": { check: checkBearer },
  "oidcc-client-test-aggregated-claims": {
    begin: () => claimSources({ JWT: "eyJhbGciOiJub25lIn0.eyJhZGRyZXNzIjoiZWxzZXdoZXJlIn0." }),
    check: (op) => expect(elsewhere(op)).toEqual([]),
  },
  "oidcc-client-test-distributed-claims": {
    begin: ({ issuer }) => claimSources({ endpoint: `${issuer}/claims`, access_token: "of-the-source" }),
    check: (op) => expect(elsewhere(op)).toEqual([]),
  },
  "oidcc-client-test-mtls-endpoint-aliases": {
    begin: ({ issuer }) => ({
      discovery: (answer) => ({
        ...answer,
        body: { ...answer.body, mtls_endpoint_aliases: { token_endpoint: `${issuer}/mtls/token` } },
      }),
    }),
    check: (op) => expect(elsewhere(op)).toEqual([]),
  },
  "oidcc-client-test-ignores-unparseable-key-in-jwks": tampered({
    jwks: ({ keys }) => ({ keys: [...unusableKeys, ...keys] }),
  }),
}
