import type { Observation } from "./observe.js"
import type { Plan, Step } from "./plan.js"

/** One place where the two libraries did something else. */
export interface Difference {
  /** Where, such as `cookies.session.effect` or `calls.adapter`. */
  readonly where: string
  readonly theirs: unknown
  readonly ours: unknown
  readonly context: Context
}

export interface Context {
  readonly plan: Plan
  readonly step: Step
  /** The request, as method and path below the base path. */
  readonly request: string
  readonly observed: { readonly theirs: Observation; readonly ours: Observation }
  /** The steps before this one. */
  readonly earlier: readonly Step[]
}

export function compareSteps(
  theirs: readonly Observation[],
  ours: readonly Observation[],
  scene: Omit<Context, "request" | "observed">,
): readonly Difference[] {
  const pairs = Array.from({ length: Math.min(theirs.length, ours.length) }, (_, index) => [theirs[index], ours[index]])
  const found = pairs.flatMap(([a, b]) => (a === undefined || b === undefined ? [] : compare(a, b, scene)))
  const [a, b] = [theirs.at(-1), ours.at(-1)]
  if (theirs.length === ours.length || a === undefined || b === undefined) return found
  const context = { ...scene, request: requestOf(a, scene.plan), observed: { theirs: a, ours: b } }
  return [...found, { where: "requests", theirs: theirs.length, ours: ours.length, context }]
}

function compare(a: Observation, b: Observation, scene: Omit<Context, "request" | "observed">): readonly Difference[] {
  const context = { ...scene, request: requestOf(a, scene.plan), observed: { theirs: a, ours: b } }
  const { calls: theirCalls, request: _, ...theirs } = a
  const { calls: ourCalls, request: __, ...ours } = b
  const plain = differ(theirs, ours, "").map(({ where, theirs, ours }) => ({ where, theirs, ours, context }))
  return [...plain, ...compareCalls(theirCalls, ourCalls).map((each) => ({ ...each, context }))]
}

function requestOf({ request }: Observation, { basePath, framework }: Plan): string {
  const base = basePath ?? (framework === "next" ? "/api/auth" : "/auth")
  const { pathname } = new URL(request.path)
  return `${request.method} ${pathname.startsWith(base) ? pathname.slice(base.length) : pathname}`
}

type Found = Omit<Difference, "context">

/** The leaves at which two values differ. Arrays are leaves, because their elements shift, except for arguments. */
function differ(theirs: unknown, ours: unknown, where: string): readonly Found[] {
  if (JSON.stringify(theirs) === JSON.stringify(ours)) return []
  if (Array.isArray(theirs) && Array.isArray(ours) && where.startsWith("args.") && theirs.length === ours.length) {
    return theirs.flatMap((item, index) => differ(item, ours[index], `${where}.${index}`))
  }
  if (!isRecord(theirs) || !isRecord(ours)) return [{ where, theirs, ours }]
  const names = new Set([...Object.keys(theirs), ...Object.keys(ours)])
  return [...names].flatMap((name) => differ(theirs[name], ours[name], where === "" ? name : `${where}.${name}`))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

const kinds = ["callback", "redirect", "event", "adapter", "provider"] as const

/** Compares the calls of each kind in order, then the arguments if the names agree, then the order of all kinds. */
function compareCalls(theirs: Observation["calls"], ours: Observation["calls"]): readonly Found[] {
  const found = kinds.flatMap((kind) => {
    const [a, b] = [theirs.filter((call) => call.kind === kind), ours.filter((call) => call.kind === kind)]
    const names = { theirs: a.map(({ name }) => name), ours: b.map(({ name }) => name) }
    if (names.theirs.join() !== names.ours.join()) return [{ where: `calls.${kind}`, ...names }]
    return a.flatMap(({ name, args }, index) => differ(args, b[index]?.args, `args.${kind}.${name}`))
  })
  if (found.some(({ where }) => where.startsWith("calls.") && where !== "calls.redirect")) return found
  const order = (calls: Observation["calls"]) =>
    calls.filter(({ kind }) => kind !== "redirect").map(({ kind, name }) => `${kind} ${name}`)
  return [...found, ...differ(order(theirs), order(ours), "order")]
}
