import type { AuthConfig } from "../../model/config.js"
import type { SecurityOptions } from "../../model/security.js"
import { numberOf } from "../repair.js"
import { invalid, isDate, isPositive, type Problem, tolerable } from "./problem.js"

/** Lifetimes and dates. */
export function* numberProblems(config: AuthConfig): Generator<Problem> {
  const { jwt, security, session } = config
  const options: SecurityOptions = typeof security === "object" ? security : {}
  const lifetimes = {
    "session.maxAge": session?.maxAge,
    "session.absoluteMaxAge": session?.absoluteMaxAge,
    "jwt.maxAge": jwt?.maxAge,
    "security.recentSignIn": options.recentSignIn,
    "security.emailLinkMaxAge": options.emailLinkMaxAge,
  }
  for (const [path, value] of Object.entries(lifetimes)) {
    if (value === undefined || isPositive(value)) continue
    const make = readsAsNumber(config, path, value) ? tolerable : invalid
    yield make(path, `The lifetime ${notPositive(value)}`, "Set a number of seconds, or omit it for the default")
  }
  yield* updateAgeProblems(session?.updateAge)
  yield* formerSessionsProblems(security)
  yield* revocationProblems(session)
}

function* revocationProblems(session: AuthConfig["session"]): Generator<Problem> {
  const maxStaleness: unknown = session?.revocation?.maxStaleness
  if (maxStaleness !== undefined && maxStaleness !== 0 && !isPositive(maxStaleness)) {
    const fix = "Set a number of seconds, or omit it for the default"
    yield invalid("session.revocation.maxStaleness", "The time isn't a number of at least 0", fix)
  }
  if (session?.notBefore === undefined || session.notBefore === null || isDate(session.notBefore)) return
  const fix = 'Set the time from which sessions count, such as "2027-03-01T12:00:00Z"'
  yield invalid("session.notBefore", "The value isn't a valid date", fix)
}

function* formerSessionsProblems(security: AuthConfig["security"]): Generator<Problem> {
  const date = typeof security === "object" ? security.formerSessionsUntil : undefined
  if (date === undefined || isDate(date)) return
  const fix = 'Set a date such as "2027-03-01", after which no session from before the switch is left'
  yield invalid("security.formerSessionsUntil", "The value isn't a valid date", fix)
}

/** Often from an environment variable, which is text. */
function notPositive(value: unknown): string {
  return typeof value === "string" ? "is text, not a number" : "isn't a positive number"
}

/** With sessions in a database, Auth.js v5 works with text that reads as a number. */
function readsAsNumber({ adapter, session }: AuthConfig, path: string, value: unknown): boolean {
  if (path !== "session.maxAge") return false
  return session?.strategy !== "jwt" && adapter !== undefined && isPositive(numberOf(value))
}

function* updateAgeProblems(updateAge: unknown): Generator<Problem> {
  if (updateAge === undefined || updateAge === 0 || isPositive(updateAge)) return
  const fix = "Set a number of seconds. 0 extends the session at every read"
  yield tolerable("session.updateAge", "The interval isn't a number of at least 0", fix)
}
