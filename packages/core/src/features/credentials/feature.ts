import { commonOf } from "../../config/common-provider.js"
import { type Problem, type Warning, invalid } from "../../config/check/problem.js"
import { securityMode } from "../../config/presets.js"
import { type Feature, type ProviderFeature, inSentence, nameOf } from "../../config/feature.js"
import { isLimited } from "../../limits/attempts.js"
import type { Method } from "../../model/auth.js"
import type { AuthConfig } from "../../model/config.js"
import type { CredentialsConfig, CredentialsProvider } from "../../model/credentials-provider.js"
import { seamOf } from "../../module/seam-of.js"
import { loadOnce } from "../../primitives/awaitable.js"
import { refuseAll } from "../../provider-kit/refuse-all.js"
import { isOnlySecret } from "./identifying-fields.js"

const providers: ProviderFeature<CredentialsConfig> = {
  types: ["credentials"],
  storesNothing: true,
  resolve: resolveCredentials,
  problems: credentialsProblems,
  warnings: credentialsWarnings,
  view: loadOnce(async () => (await import("./view.js")).view),
  load: ({ module }) => (module === undefined ? load() : loadProver(module)),
}

/** Sign-in with a form that the application checks, or a module. */
export const credentials: Feature = { providers }

const load = loadOnce(async () => (await import("./credentials.js")).credentials)

/** Sign-in with a provider of a module: the form and the limits of credentials, and the module's decision. */
async function loadProver(module: string): Promise<Method> {
  const { credentialsMethod } = await import("./credentials.js")
  return credentialsMethod(async (auth, request, provider, fields) =>
    (await seamOf(auth)).prove(auth, request, { module, provider, fields }),
  )
}

function resolveCredentials(provider: CredentialsConfig): CredentialsProvider {
  return Object.freeze({
    ...commonOf(provider),
    type: "credentials",
    credentials: Object.freeze({ ...provider.credentials }),
    authorize: provider.authorize,
    identifier: provider.identifier,
    canSignIn: provider.canSignIn,
  })
}

/** `Credentials()` without `authorize` refuses every sign-in in Auth.js v5, and an object without it fails every request. */
function* credentialsProblems(path: string, provider: CredentialsConfig, config: AuthConfig): Generator<Problem> {
  // Under `"strict"` no other field reaches `authorize`.
  if (securityMode(config) === "strict" && Object.keys(provider.credentials ?? {}).length === 0) {
    const problem = `${nameOf(provider)} declares no fields, so \`authorize\` would get none`
    yield invalid(
      `${path}.credentials`,
      problem,
      "Name the fields of your form: `credentials: { email: {}, password: {} }`",
    )
  }
  const authorize: unknown = provider.authorize
  if (typeof authorize === "function" && authorize !== refuseAll) return
  const problem = `${nameOf(provider)} has no \`authorize\` function`
  const found: Problem = {
    path: `${path}.authorize`,
    problem,
    fix: "Add one that returns the user or null",
    type: "MissingAuthorize",
  }
  yield authorize === refuseAll ? { ...found, tolerated: "invalid-option" } : found
}

function* credentialsWarnings(path: string, provider: CredentialsConfig, config: AuthConfig): Generator<Warning> {
  if (!isLimited(config.rateLimit ?? {}, "credentials")) return
  if (!isOnlySecret({ credentials: provider.credentials ?? {}, identifier: provider.identifier })) return
  const problem = `No field of ${inSentence(provider)} says who the user is, so guesses are limited per IP address only`
  yield { code: "user-not-limited", detail: `${path}: ${problem}. ${setIdentifier}` }
}

const setIdentifier =
  'Declare the field that does, such as `email`, or set `identifier`. If there is one secret for everyone, use `identifier: () => "everyone"`'
