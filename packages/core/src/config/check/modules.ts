import type { AuthConfig } from "../../model/config.js"
import { isAuthAction } from "../env/action-url.js"
import { invalid, type Problem } from "./problem.js"

export function* moduleProblems({ modules }: AuthConfig): Generator<Problem> {
  if (!Array.isArray(modules)) return
  const ids = new Set<string>()
  const taken = new Set<string>()
  for (const [index, { id, routes = {} }] of modules.entries()) {
    const path = `modules[${index}]`
    if (!/^[a-z0-9-]+$/i.test(id)) {
      yield invalid(`${path}.id`, "The id has other characters than letters, digits and hyphens", "Rename the module")
    }
    if (ids.has(id)) yield invalid(`${path}.id`, "Another module has the same id", "List the module once")
    ids.add(id)
    for (const route of Object.keys(routes)) {
      yield* routeProblems(`${path}.routes`, route, taken)
      taken.add(route)
    }
  }
}

function* routeProblems(path: string, route: string, taken: ReadonlySet<string>): Generator<Problem> {
  const name = /^(?:GET|POST) ([a-z0-9._~-]+)$/i.exec(route)?.[1]
  if (name === undefined)
    yield invalid(path, "A route isn't named by a method and one path segment", 'Use "GET name" or "POST name"')
  else if (isAuthAction(name))
    yield invalid(path, `The route "${name}" is a built-in action`, "Give the route another name")
  if (taken.has(route))
    yield invalid(path, "Two modules have the same route", "Remove one of the modules, or rename its route")
}
