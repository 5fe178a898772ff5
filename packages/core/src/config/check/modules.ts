import type { AuthConfig } from "../../model/config.js"
import { recordsHint } from "../../model/records.js"
import { stepUpRoute } from "../../model/step-up.js"
import { seamLoader } from "../../model/symbols.js"
import type { Module } from "../../module-kit/model.js"
import { isAuthAction } from "../env/action-url.js"
import { securityMode } from "../presets.js"
import { type Problem, type Warning, invalid } from "./problem.js"

export function* moduleProblems(config: AuthConfig): Generator<Problem> {
  const { modules, tokens } = config
  if (tokens !== undefined && typeof Object(tokens).load !== "function")
    yield invalid("tokens", "The value isn't a vault", "Set `vault` of `@latchkey/core/tokens`")
  if (!Array.isArray(modules)) return
  const all: readonly Module[] = modules
  const taken = new Set<string>()
  for (const [index, module] of all.entries()) {
    const path = `modules[${index}]`
    yield* nameProblems(path, module, taken)
    yield* makerProblems(path, module)
    yield* needProblems(path, module, all)
    yield* recordProblems(path, module, config)
  }
  yield* cycles(all)
}

function* nameProblems(path: string, { id, paths = [] }: Module, taken: Set<string>): Generator<Problem> {
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id))
    yield invalid(`${path}.id`, "The id has other characters than a-z, 0-9 and hyphens", "Rename the module")
  for (const name of [id, ...paths]) {
    if (isAuthAction(name) || ["factor", stepUpRoute].includes(name))
      yield invalid(path, `"${name}" is a built-in route`, "Rename it")
    if (taken.has(name)) yield invalid(path, `Another module has the name "${name}"`, "List the module once")
    taken.add(name)
  }
}

/** Otherwise its guards and its factor would be passed over. */
function* makerProblems(path: string, module: Module): Generator<Problem> {
  if (module.load === undefined || module[seamLoader] !== undefined) return
  yield invalid(path, `${module.id} wasn't made with \`defineModule\``, "Make it with the one of @latchkey/core/module")
}

function* needProblems(path: string, { id, needs = [] }: Module, all: readonly Module[]): Generator<Problem> {
  for (const other of needs) {
    if (all.some((module) => module.id === other)) continue
    yield invalid(path, `${id} needs the module "${other}"`, "Add it to `modules`")
  }
}

function* recordProblems(path: string, { id, records: kept }: Module, config: AuthConfig): Generator<Problem> {
  const { records = config.adapter?.records, environment } = config
  if (kept === undefined) return
  if (records === undefined) yield invalid(path, `${id} needs records`, recordsHint)
  else if (records.atomic !== "global" && securityMode(config) === "strict" && environment !== "development")
    yield invalid(path, `${id} needs records that are atomic between processes`, recordsHint)
}

/** Of modules, it's an error under `"strict"`. */
export function* moduleWarnings(config: AuthConfig): Generator<Warning> {
  const { modules, tokens, records = config.adapter?.records } = config
  const haveRecords = Array.isArray(modules) && modules.some((module) => module.records !== undefined)
  if (!haveRecords && tokens === undefined) return
  if (records?.atomic !== "process" || (haveRecords && securityMode(config) === "strict")) return
  const detail = "Records are atomic within this process only, so what works once may work twice in several processes"
  yield { code: "records-not-atomic", detail: `${detail}. ${recordsHint}` }
}

function* cycles(modules: readonly Module[]): Generator<Problem> {
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
