/** Certification plans of the OpenID Foundation's conformance suite for relying parties, shortened. */
export type Plan =
  | "basic"
  | "form post"
  | "config"
  | "dynamic"
  | "implicit"
  | "hybrid"
  | "comprehensive"
  | "refresh token"
  | "RP-initiated logout"
  | "back-channel logout"
  | "front-channel logout"
  | "session management"
  | "third-party login"

/** The requests to the provider, in order. */
export const requests = ["discovery", "authorization", "token", "jwks", "userinfo"] as const

/** A rejection names the last request that Latchkey makes. */
export type Outcome = "accepted" | `rejected after ${(typeof requests)[number]}`

export type RealProvider = "oidc-provider" | "glewlwyd"

interface Named {
  /** The `testName` in the suite. */
  readonly name: "oidcc-client-test" | `oidcc-client-test-${string}`
  readonly plans: readonly Plan[]
}

/** A test that runs. */
export interface RunCase extends Named {
  readonly outcome: Outcome
  /** The real providers that can play this case. The fake one can play every case. */
  readonly real: readonly RealProvider[]
}

/** A test that runs with its feature, over the fake provider. */
export interface FeatureCase extends Named {
  /** A test file, from the root of the repository. */
  readonly file: string
}

/** A test of a feature that Latchkey doesn't have yet. */
export interface WaitingCase extends Named {
  readonly waitsFor: string
}

/** A test of a feature that Latchkey doesn't support. */
export interface UnsupportedCase extends Named {
  readonly because: string
}

const code: readonly Plan[] = ["basic", "form post", "hybrid", "comprehensive"]
const everyFlow: readonly Plan[] = [...code, "implicit"]
const config: readonly Plan[] = ["config", "dynamic", "comprehensive"]
const both: readonly RealProvider[] = ["oidc-provider", "glewlwyd"]

/** In the order of the plans. */
export const runCases = [
  { name: "oidcc-client-test", plans: everyFlow, outcome: "accepted", real: both },
  { name: "oidcc-client-test-invalid-iss", plans: everyFlow, outcome: "rejected after token", real: [] },
  { name: "oidcc-client-test-missing-sub", plans: everyFlow, outcome: "rejected after token", real: [] },
  { name: "oidcc-client-test-invalid-aud", plans: everyFlow, outcome: "rejected after token", real: [] },
  { name: "oidcc-client-test-missing-iat", plans: everyFlow, outcome: "rejected after token", real: [] },
  { name: "oidcc-client-test-kid-absent-single-jwks", plans: everyFlow, outcome: "accepted", real: [] },
  // The suite lets a relying party choose: refuse, or try every key.
  { name: "oidcc-client-test-kid-absent-multiple-jwks", plans: everyFlow, outcome: "rejected after jwks", real: [] },
  { name: "oidcc-client-test-idtoken-sig-rs256", plans: everyFlow, outcome: "accepted", real: both },
  { name: "oidcc-client-test-invalid-sig-rs256", plans: everyFlow, outcome: "rejected after jwks", real: [] },
  { name: "oidcc-client-test-userinfo-invalid-sub", plans: everyFlow, outcome: "rejected after userinfo", real: [] },
  { name: "oidcc-client-test-nonce-invalid", plans: everyFlow, outcome: "rejected after token", real: [] },
  { name: "oidcc-client-test-scope-userinfo-claims", plans: everyFlow, outcome: "accepted", real: both },
  { name: "oidcc-client-test-client-secret-basic", plans: code, outcome: "accepted", real: both },
  {
    name: "oidcc-client-test-form-post-error",
    plans: ["comprehensive"],
    outcome: "rejected after authorization",
    real: both,
  },
  { name: "oidcc-client-test-discovery-openid-config", plans: config, outcome: "accepted", real: both },
  { name: "oidcc-client-test-discovery-jwks-uri-keys", plans: config, outcome: "accepted", real: both },
  { name: "oidcc-client-test-discovery-issuer-mismatch", plans: config, outcome: "rejected after discovery", real: [] },
  { name: "oidcc-client-test-idtoken-sig-none", plans: config, outcome: "rejected after token", real: [] },
  {
    name: "oidcc-client-test-signing-key-rotation-just-before-signing",
    plans: config,
    outcome: "accepted",
    real: both,
  },
  { name: "oidcc-client-test-signing-key-rotation", plans: config, outcome: "accepted", real: both },
  {
    name: "oidcc-client-test-userinfo-signed",
    plans: ["dynamic", "comprehensive"],
    outcome: "accepted",
    real: ["oidc-provider"],
  },
  { name: "oidcc-client-test-missing-aud", plans: ["comprehensive"], outcome: "rejected after token", real: [] },
  { name: "oidcc-client-test-invalid-sig-hs256", plans: ["comprehensive"], outcome: "rejected after token", real: [] },
  { name: "oidcc-client-test-invalid-sig-es256", plans: ["comprehensive"], outcome: "rejected after jwks", real: [] },
  { name: "oidcc-client-test-userinfo-bearer-header", plans: ["comprehensive"], outcome: "accepted", real: both },
  { name: "oidcc-client-test-aggregated-claims", plans: ["comprehensive"], outcome: "accepted", real: [] },
  { name: "oidcc-client-test-distributed-claims", plans: ["comprehensive"], outcome: "accepted", real: [] },
  { name: "oidcc-client-test-mtls-endpoint-aliases", plans: ["comprehensive"], outcome: "accepted", real: [] },
  {
    name: "oidcc-client-test-ignores-unparseable-key-in-jwks",
    plans: ["comprehensive"],
    outcome: "accepted",
    real: [],
  },
] as const satisfies readonly RunCase[]

export type RunName = (typeof runCases)[number]["name"]

function named(plans: readonly Plan[], endings: readonly string[]): readonly Named[] {
  return endings.map((ending) => ({ name: `oidcc-client-test-${ending}`, plans }))
}

function unsupported(plans: readonly Plan[], because: string, endings: readonly string[]): readonly UnsupportedCase[] {
  return named(plans, endings).map((one) => ({ ...one, because }))
}

function waiting(plans: readonly Plan[], waitsFor: string, endings: readonly string[]): readonly WaitingCase[] {
  return named(plans, endings).map((one) => ({ ...one, waitsFor }))
}

const noImplicit = "tokens do not come through the browser (RFC 9700 §2.1.2)"

export const unsupportedCases: readonly UnsupportedCase[] = [
  ...unsupported(["implicit", "hybrid", "comprehensive"], noImplicit, [
    "invalid-athash",
    "missing-athash",
    "nonce-unless-code-flow",
  ]),
  ...unsupported(["hybrid", "comprehensive"], noImplicit, ["invalid-chash", "missing-chash"]),
  ...unsupported(["comprehensive"], "a token belongs in the header (RFC 6750 §2)", ["userinfo-bearer-body"]),
]

function inFile(file: string, plan: Plan, endings: readonly string[]): readonly FeatureCase[] {
  return named([plan], endings).map((one) => ({ ...one, file }))
}

export const featureCases: readonly FeatureCase[] = [
  ...inFile("packages/core/test/tokens/continuity.test.ts", "refresh token", [
    "refresh-token",
    "refresh-token-invalid-issuer",
    "refresh-token-invalid-sub",
    "refresh-token-invalid-aud",
    "refresh-token-invalid-azp",
  ]),
  ...inFile("packages/logout/test/rp-initiated.test.ts", "RP-initiated logout", ["rp-init-logout"]),
  ...inFile("packages/logout/test/attacks/leaving.test.ts", "RP-initiated logout", [
    "rp-init-logout-other-state",
    "rp-init-logout-no-state",
  ]),
  ...inFile("packages/logout/test/attacks/logout-tokens.test.ts", "back-channel logout", [
    "rp-backchannel-rpinitlogout",
    "rp-backchannel-rpinitlogout-alg-none",
    "rp-backchannel-rpinitlogout-no-event",
    "rp-backchannel-rpinitlogout-with-nonce",
    "rp-backchannel-rpinitlogout-wrong-alg",
    "rp-backchannel-rpinitlogout-wrong-aud",
    "rp-backchannel-rpinitlogout-wrong-event",
    "rp-backchannel-rpinitlogout-wrong-iss",
  ]),
  ...inFile("packages/logout/test/front-channel.test.ts", "front-channel logout", [
    "rp-frontchannel-rpinitlogout",
    "rp-frontchannel-opinitlogout",
  ]),
]

/** So that no module of the suite is missing without a word. */
export const waitingCases: readonly WaitingCase[] = [
  ...waiting(["dynamic", "comprehensive"], "WebFinger", ["discovery-webfinger-acct", "discovery-webfinger-url"]),
  ...waiting(["dynamic", "comprehensive"], "dynamic registration", ["dynamic-registration"]),
  ...waiting(["dynamic", "comprehensive"], "request objects", ["request-uri-signed-rs256", "request-uri-signed-none"]),
  ...waiting(["session management"], "OpenID Connect Session Management", ["session-management"]),
  ...waiting(["third-party login"], "sign-in begun by the provider", ["3rd-party-init-login"]),
]
