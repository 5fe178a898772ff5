import type { Adapter } from "../../model/adapter.js"
import type { AuthConfig } from "../../model/config.js"
import type { ReadProvider, ProviderFeature, ProviderFeatures } from "../feature.js"
import type { Problem } from "./problem.js"

type AdapterMethod = keyof Adapter

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
export function* adapterProblems(
  features: ProviderFeatures,
  providers: readonly ReadProvider[],
  config: AuthConfig,
): Generator<Problem> {
  const used = features.filter(({ types }) => providers.some(({ provider }) => types.includes(provider.type)))
  const database = (config.session?.strategy ?? (config.adapter ? "database" : "jwt")) === "database"
  if (config.adapter) yield* methodProblems(config.adapter, database, used)
  else yield* missingAdapterProblems(database, used)
}

function requiredMethods(database: boolean, used: readonly ProviderFeature[]): readonly AdapterMethod[] {
  return [...used.flatMap(({ needsAdapter }) => needsAdapter?.methods ?? []), ...(database ? forSessions : [])]
}

/** Auth.js v5 checks no session methods next to email sign-in, and not whether a member is a function. */
function* methodProblems(adapter: Adapter, database: boolean, used: readonly ProviderFeature[]): Generator<Problem> {
  // `adapter[name]` also finds the inherited methods of class instances.
  const missing = [...new Set(requiredMethods(database, used))].filter((name) => typeof adapter[name] !== "function")
  if (missing.length === 0) return
  const skipsSessions = used.some(({ needsAdapter }) => needsAdapter?.hidesSessions === true)
  const checkedByV5 = requiredMethods(database && !skipsSessions, used)
  const isTolerated = missing.every((name) => name in adapter || !checkedByV5.includes(name))
  yield {
    path: "adapter",
    problem: `The adapter lacks ${missing.join(", ")}`,
    fix: "Add the methods, or use an adapter that has them",
    type: "MissingAdapterMethods",
    ...(isTolerated && { tolerated: "store-capability-missing" }),
  }
}

function* missingAdapterProblems(database: boolean, used: readonly ProviderFeature[]): Generator<Problem> {
  if (database && used.length > 0 && used.every(({ storesNothing }) => storesNothing === true)) {
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
    ...used.flatMap(({ needsAdapter }) => needsAdapter?.name ?? []),
  ]
  if (needs.length === 0) return
  const problem = `No adapter is set, and ${needs.join(" and ")} can't work without one`
  yield { path: "adapter", problem, fix: "Set `adapter`", type: "MissingAdapter" }
}
