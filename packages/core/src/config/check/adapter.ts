import type { Adapter } from "../../model/adapter.js"
import type { AuthConfig } from "../../model/config.js"
import type { ProviderType } from "../../model/user.js"
import type { Problem, Warning } from "./problem.js"
import type { ReadProvider } from "../read-providers.js"

type Method = keyof Adapter

const forMailboxes: readonly Method[] = ["createVerificationToken", "useVerificationToken", "getUserByEmail"]
const forSessions: readonly Method[] = [
  "createUser",
  "getUser",
  "getUserByEmail",
  "getUserByAccount",
  "updateUser",
  "linkAccount",
  "createSession",
  "getSessionAndUser",
  "updateSession",
  "deleteSession",
]
const forPasskeys: readonly Method[] = [
  "createUser",
  "getUser",
  "linkAccount",
  "getAccount",
  "getAuthenticator",
  "createAuthenticator",
  "listAuthenticatorsByUserId",
  "updateAuthenticatorCounter",
]

/** Whether the store can carry the providers and the strategy (spec/config.md §7, rows 10 to 14). */
export function* storeProblems(providers: readonly ReadProvider[], config: AuthConfig): Generator<Problem> {
  const has = (type: ProviderType) => providers.some(({ provider }) => provider.type === type)
  if (has("webauthn") && config.experimental?.enableWebAuthn !== true) {
    const fix = "Set `experimental.enableWebAuthn: true`"
    const problem = "A passkey provider is configured, but passkeys are not enabled"
    yield { path: "experimental.enableWebAuthn", problem, fix, type: "ExperimentalFeatureNotEnabled" }
  }
  const database = (config.session?.strategy ?? (config.adapter ? "database" : "jwt")) === "database"
  if (config.adapter) yield* methodProblems(config.adapter, requiredMethods(database, has))
  else yield* absenceProblems(providers, database, has)
}

function requiredMethods(database: boolean, has: (type: ProviderType) => boolean): readonly Method[] {
  return [
    ...(has("email") ? forMailboxes : []),
    ...(database ? forSessions : []),
    ...(has("webauthn") ? forPasskeys : []),
  ]
}

function* methodProblems(adapter: Adapter, required: readonly Method[]): Generator<Problem> {
  const missing = lacking(adapter, required)
  if (missing.length === 0) return
  const problem = `The adapter lacks ${missing.join(", ")}`
  yield {
    path: "adapter",
    problem,
    fix: "Add the methods, or use an adapter that has them",
    type: "MissingAdapterMethods",
  }
}

/** Methods may be inherited: class instances are adapters too. */
function lacking(adapter: Adapter, methods: readonly Method[]): readonly Method[] {
  return [...new Set(methods)].filter((name) => typeof adapter[name] !== "function")
}

function* absenceProblems(
  providers: readonly ReadProvider[],
  database: boolean,
  has: (type: ProviderType) => boolean,
): Generator<Problem> {
  const onlyCredentials = providers.length > 0 && providers.every(({ provider }) => provider.type === "credentials")
  if (database && onlyCredentials) {
    const problem = "Credentials alone cannot have database sessions without an adapter"
    yield {
      path: "session.strategy",
      problem,
      fix: 'Set `adapter`, or the strategy "jwt"',
      type: "UnsupportedStrategy",
    }
    return
  }
  const needs = [
    ...(database ? ["database sessions"] : []),
    ...(has("email") ? ["e-mail sign-in"] : []),
    ...(has("webauthn") ? ["passkeys"] : []),
  ]
  if (needs.length === 0) return
  const problem = `There is no place to keep what belongs to ${needs.join(" and ")}`
  yield { path: "adapter", problem, fix: "Set `adapter`", type: "MissingAdapter" }
}

/** What may change under whoever uses it. */
export function* storeWarnings(providers: readonly ReadProvider[], config: AuthConfig): Generator<Warning> {
  if (config.experimental?.enableWebAuthn !== true) return
  if (providers.some(({ provider }) => provider.type === "webauthn")) {
    yield { code: "experimental-webauthn", detail: "Passkeys are experimental: their options may change" }
  }
}
