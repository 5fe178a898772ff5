import type { AuthConfig } from "../model/config.js"
import { systemRuntime } from "../primitives/runtime.js"
import { cookieTable } from "../config/defaults.js"
import { isPlainObject } from "../config/merge.js"
import { securityMode } from "../config/presets.js"
import { endOf, version4Of } from "./version4-cookies.js"
import { attributeProblems } from "../config/check/cookies.js"
import { type Problem, type Warning, invalid, isDate } from "../config/check/problem.js"

const path = "session.version4"
const useDate = 'Set a date such as "2027-03-01", after which no session of version 4 is left'

/** Problems of the option that accepts sessions of next-auth 4. */
export function* version4Problems(config: AuthConfig): Generator<Problem> {
  const options: unknown = config.session?.version4
  if (options === undefined || options === false) return
  if (!isPlainObject(options)) {
    yield invalid(path, "The value isn't an object or `false`", 'Set an object such as `{ acceptUntil: "2027-03-01" }`')
    return
  }
  yield* endProblems(config, options)
  yield* cookieProblems(config)
}

type Options = Readonly<Record<string, unknown>>

function* endProblems(config: AuthConfig, { acceptUntil, share }: Options): Generator<Problem> {
  const strict = securityMode(config) === "strict"
  if (acceptUntil === undefined) {
    if (!strict) return
    yield invalid(`${path}.acceptUntil`, 'Under `security: "strict"`, sessions of version 4 need an end date', useDate)
  } else if (!isDate(acceptUntil)) {
    yield invalid(`${path}.acceptUntil`, "The date isn't valid", useDate)
  } else if (share === true) {
    // At that date, every session would be in a cookie that isn't read anymore.
    yield invalid(`${path}.acceptUntil`, "Shared sessions can't have an end date", "Remove `share` first")
  }
  if (!strict || share !== true) return
  const problem = 'Version 4 can\'t read the sessions of `security: "strict"`'
  yield invalid(`${path}.share`, problem, 'Remove `share`, or use `security: "compatible"` until version 4 is gone')
}

function* cookieProblems(config: AuthConfig): Generator<Problem> {
  const secure = config.useSecureCookies ?? true
  const cookie = version4Of(config, secure)?.sessionToken
  if (cookie === undefined) return
  for (const { tolerated: _, ...problem } of attributeProblems(`${path}.cookie`, [cookie])) yield problem
  const { sessionToken: _, ...others } = cookieTable(config, secure)
  if (Object.values(others).some(({ name }) => name === cookie.name)) {
    yield invalid(`${path}.cookie.name`, "The name is that of another cookie", "Set the name that version 4 used")
  }
}

export function* version4Warnings(config: AuthConfig): Generator<Warning> {
  const options = config.session?.version4
  if (options === undefined || options === false) return
  const now = config.runtime?.now?.() ?? systemRuntime.now()
  if (!(endOf(options) <= now)) return
  const detail = "`session.version4.acceptUntil` has passed, so sessions of next-auth 4 are ignored. Remove the option"
  yield { code: "version4-ended", detail }
}
