import { InvalidConfig } from "../errors.js"
import type { AuthRequest, Params } from "../model/http.js"
import { type AskedLevel, type StepUp, stepUpRoute } from "../model/step-up.js"
import { ofOneUser } from "./unavailable.js"

const units = { s: 1, m: 60, h: 3600, d: 86_400 } as const

/** @throws InvalidConfig if a value isn't one that the types allow */
export function askedLevel(asked: StepUp): AskedLevel {
  // A framework may pass an argument of its own, such as a callback. It would ask for nothing.
  const { maxAge, level = 1 } = typeof asked === "object" ? asked : { level: 0 }
  if (level !== 1 && level !== 2) throw new InvalidConfig("`level` of a step-up is 1 or 2. Set one, or omit it")
  const seconds = maxAge === undefined ? undefined : secondsOf(maxAge)
  if (seconds !== undefined && !(seconds >= 0 && seconds < Number.POSITIVE_INFINITY))
    throw new InvalidConfig('`maxAge` of a step-up is seconds, or text such as "5m". Set one of them')
  return { maxAge: seconds, level }
}

function secondsOf(given: number | string): number {
  if (typeof given === "number") return given
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(given) ?? []
  return Number(count) * units[unit as keyof typeof units]
}

/** What the options of a function ask for. `undefined`: any session is enough. */
export function stepUpIn({ maxAge, level }: StepUp): StepUp | undefined {
  return maxAge === undefined && level === undefined ? undefined : { maxAge, level }
}

/** The query of the route. `to` is where the user came from. */
export function stepUpParams({ maxAge, level }: AskedLevel, to: string): Params {
  return { to, ...(maxAge !== undefined && { max_age: String(Math.floor(maxAge)) }), level: String(level) }
}

/** Anyone can write the query. The page that asked checks the session again. */
export function levelInQuery({ max_age, level }: Params): AskedLevel {
  const maxAge = max_age !== undefined && /^\d{1,9}$/.test(max_age) ? Number(max_age) : undefined
  return { maxAge, level: level === "2" ? 2 : 1 }
}

/** What a sign-in that leads to the route is for. `undefined`: it's an ordinary one. */
export function askedAgain({ base }: Pick<AuthRequest, "base">, callbackUrl: string): AskedLevel | undefined {
  if (!callbackUrl.startsWith(`${base}/${stepUpRoute}?`)) return undefined
  return levelInQuery(Object.fromEntries(new URL(callbackUrl).searchParams))
}

/**
 * What a program gets (RFC 9470 §3).
 *
 * @param url where a browser can ask the user
 */
export function insufficientAuthentication({ maxAge, level }: AskedLevel, url: string): Response {
  const error = "insufficient_user_authentication"
  const description = level === 2 ? "Prove a second factor" : "Sign in again"
  const parameters = [
    `error="${error}"`,
    `error_description="${description}"`,
    ...(level === 2 ? ['acr_values="mfa"'] : []),
    ...(maxAge === undefined ? [] : [`max_age=${Math.floor(maxAge)}`]),
  ]
  const headers = { ...ofOneUser, "www-authenticate": `Bearer ${parameters.join(", ")}` }
  return Response.json({ message: `${description}.`, error, url }, { status: 401, headers })
}
