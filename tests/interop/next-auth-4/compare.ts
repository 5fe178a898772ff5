import { decode } from "@latchkey/next-auth-4/jwt"
import { normalize } from "../differential/normalize.js"
import type { Plan, Step } from "./plan.js"
import type { Observation } from "./visitor.js"

/** One place where the two libraries did something else. */
export interface Difference {
  /** Where, such as `location` or `calls.event`. */
  readonly where: string
  readonly request: string
  readonly theirs: unknown
  readonly ours: unknown
  readonly scene: Scene
  readonly observed: { readonly theirs: Observation | undefined; readonly ours: Observation | undefined }
}

export interface Scene {
  readonly plan: Plan
  readonly step: Step
  readonly secret: string
  readonly earlier: readonly Step[]
  readonly jars: { readonly theirs: ReadonlyMap<string, string>; readonly ours: ReadonlyMap<string, string> }
}

export async function differencesIn(
  theirs: readonly Observation[],
  ours: readonly Observation[],
  scene: Scene,
): Promise<readonly Difference[]> {
  const found: Difference[] = []
  const add = (where: string, a: unknown, b: unknown, index: number) => {
    const observed = { theirs: theirs[index], ours: ours[index] }
    if (JSON.stringify(a) !== JSON.stringify(b))
      found.push({ where, request: observed.theirs?.request ?? "", theirs: a, ours: b, scene, observed })
  }
  for (const [index, a] of theirs.entries()) {
    const b = ours[index]
    if (b === undefined) continue
    for (const name of ["status", "location", "body"] as const) add(name, a[name], b[name], index)
    for (const name of new Set([...Object.keys(a.cookies), ...Object.keys(b.cookies)]))
      add(`cookies.${roleOf(name, scene.plan)}`, a.cookies[name], b.cookies[name], index)
    const [x, y] = [a.calls, b.calls] as ReturnType<typeof JSON.parse>[]
    for (const kind of ["callback", "redirect", "event", "adapter", "provider"]) {
      const of = (calls: typeof x) => calls.calls.filter((call: typeof x) => call.kind === kind)
      const names = (calls: typeof x) => of(calls).map(({ name }: typeof x) => name)
      add(`calls.${kind}`, names(x), names(y), index)
      if (JSON.stringify(names(x)) !== JSON.stringify(names(y))) continue
      for (const [at, call] of of(x).entries()) add(`args.${kind}.${call.name}`, call.args, of(y)[at].args, index)
    }
  }
  if (theirs.length !== ours.length) add("requests", theirs.length, ours.length, theirs.length - 1)
  add(
    "held.session",
    await sessionIn(scene.jars.theirs, scene),
    await sessionIn(scene.jars.ours, scene),
    theirs.length - 1,
  )
  return found
}

/** What the session cookie has, opened with the secret of the application. */
async function sessionIn(jar: ReadonlyMap<string, string>, { plan, secret }: Scene): Promise<unknown> {
  const name = plan.cookieName ?? `${plan.origin.startsWith("https") ? "__Secure-" : ""}next-auth.session-token`
  const token = jar.get(name)
  if (token === undefined) return undefined
  if (plan.database === "database") return "<row>"
  if (plan.jwtCodec) return normalize(JSON.parse(Buffer.from(token, "base64url").toString()))
  const claims = await decode({ token: decodeURIComponent(token), secret }).catch(() => "unreadable")
  const { exp: _, ...rest } = Object(claims)
  return typeof claims === "string" ? claims : normalize(rest)
}

function roleOf(name: string, { cookieName }: Plan): string {
  if (name === cookieName) return "session-token"
  return /next-auth\.([a-z-]+)/.exec(name)?.[1] ?? name
}
