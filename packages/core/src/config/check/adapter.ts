import { passkeyMethods } from "../../features/passkeys/stored-passkeys.js"
import type { Adapter } from "../../model/adapter.js"
import type { AuthConfig } from "../../model/config.js"
import type { ProviderType } from "../../model/user.js"
import type { ReadProvider } from "../read-providers.js"
import type { Problem } from "./problem.js"

type AdapterMethod = keyof Adapter

const forEmail: readonly AdapterMethod[] = ["createVerificationToken", "useVerificationToken", "getUserByEmail"]
const forSessions: readonly AdapterMethod[] = [
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

/** Whether the adapter has the methods that the providers and the session strategy need. */
export function* adapterProblems(providers: readonly ReadProvider[], config: AuthConfig): Generator<Problem> {
  const has = (type: ProviderType) => providers.some(({ provider }) => provider.type === type)
  if (has("webauthn") && !config.experimental?.enableWebAuthn) {
    yield {
      path: "experimental.enableWebAuthn",
      problem: "A passkey provider is configured, but passkeys aren't enabled",
      fix: "Set `experimental.enableWebAuthn: true`",
      type: "ExperimentalFeatureNotEnabled",
    }
  }
  const database = (config.session?.strategy ?? (config.adapter ? "database" : "jwt")) === "database"
  if (config.adapter) yield* methodProblems(config.adapter, database, has)
  else yield* missingAdapterProblems(providers, database, has)
}

function requiredMethods(database: boolean, has: (type: ProviderType) => boolean): readonly AdapterMethod[] {
  return [
    ...(has("email") ? forEmail : []),
    ...(database ? forSessions : []),
    ...(has("webauthn") ? passkeyMethods : []),
  ]
}

/** Auth.js v5 checks no session methods next to email sign-in, and not whether a member is a function. */
function* methodProblems(
  adapter: Adapter,
  database: boolean,
  has: (type: ProviderType) => boolean,
): Generator<Problem> {
  // `adapter[name]` also finds the inherited methods of class instances.
  const missing = [...new Set(requiredMethods(database, has))].filter((name) => typeof adapter[name] !== "function")
  if (missing.length === 0) return
  const checkedByV5 = requiredMethods(database && !has("email"), has)
  const isTolerated = missing.every((name) => name in adapter || !checkedByV5.includes(name))
  yield {
    path: "adapter",
    problem: `The adapter lacks ${missing.join(", ")}`,
    fix: "Add the methods, or use an adapter that has them",
    type: "MissingAdapterMethods",
    ...(isTolerated && { tolerated: "store-capability-missing" }),
  }
}

function* missingAdapterProblems(
  providers: readonly ReadProvider[],
  database: boolean,
  has: (type: ProviderType) => boolean,
): Generator<Problem> {
  const onlyCredentials = providers.length > 0 && providers.every(({ provider }) => provider.type === "credentials")
  if (database && onlyCredentials) {
    yield {
      path: "session.strategy",
      problem: "Database sessions need an adapter, also for credentials",
      fix: 'Set `adapter`, or use the strategy "jwt"',
      type: "UnsupportedStrategy",
    }
    return
  }
  const needs = [
    ...(database ? ["database sessions"] : []),
    ...(has("email") ? ["email sign-in"] : []),
    ...(has("webauthn") ? ["passkeys"] : []),
  ]
  if (needs.length === 0) return
  const problem = `No adapter is set, and ${needs.join(" and ")} can't work without one`
  yield { path: "adapter", problem, fix: "Set `adapter`", type: "MissingAdapter" }
}
