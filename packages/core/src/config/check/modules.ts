import type { AuthConfig } from "../../model/config.js"
import { recordsHint } from "../../module-kit/records-hint.js"
import { isAuthAction } from "../env/action-url.js"
import { securityMode } from "../defaults.js"
import { invalid, type Problem, type Warning } from "./problem.js"

export function* moduleProblems(config: AuthConfig): Generator<Problem> {
  const { modules, records = config.adapter?.records } = config
  if (!Array.isArray(modules)) return
  const ids = new Set<string>(modules.map(({ id }) => id))
  const taken = new Set<string>()
  for (const [index, { id, needs = [], paths = [], records: kept }] of modules.entries()) {
    const path = `modules[${index}]`
    if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id)) {
      yield invalid(`${path}.id`, "The id has other characters than a-z, 0-9 and hyphens", "Rename the module")
    }
    for (const name of [id, ...paths]) {
      if (isAuthAction(name) || name === "factor")
        yield invalid(`${path}`, `"${name}" is a built-in route`, "Rename it")
      if (taken.has(name)) yield invalid(`${path}`, `Another module has the name "${name}"`, "List the module once")
      taken.add(name)
    }
    for (const other of needs) {
      if (!ids.has(other)) yield invalid(`${path}`, `${id} needs the module "${other}"`, "Add it to `modules`")
    }
    if (kept === undefined) continue
    if (records === undefined) yield invalid(`${path}`, `${id} needs records`, recordsHint)
    else if (records.atomic !== "global" && securityMode(config) === "strict" && config.environment !== "development")
      yield invalid(`${path}`, `${id} needs records that are atomic between processes`, recordsHint)
  }
  yield* cycles(modules)
}

/** Under `"strict"` it's an error. */
export function* moduleWarnings(config: AuthConfig): Generator<Warning> {
  const { modules, records = config.adapter?.records } = config
  if (!Array.isArray(modules) || !modules.some((module) => module.records !== undefined)) return
  if (records?.atomic !== "process" || securityMode(config) === "strict") return
  const detail = "Records are atomic within this process only, so what works once may work twice in several processes"
  yield { code: "records-not-atomic", detail: `${detail}. ${recordsHint}` }
}

function* cycles(modules: NonNullable<AuthConfig["modules"]>): Generator<Problem> {
  const needsOf = new Map(modules.map(({ id, needs = [] }) => [id, needs]))
  for (const { id } of modules) {
    const reached = new Set<string>()
    const open = [...(needsOf.get(id) ?? [])]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (reached.has(next)) continue
      reached.add(next)
      open.push(...(needsOf.get(next) ?? []))
    }
    if (reached.has(id)) yield invalid("modules", `"${id}" needs itself, through others`, "Remove one of them")
  }
}
