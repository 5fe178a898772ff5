import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { depends, majorOf, type Project } from "../project/project.js"
import type { Environment } from "./environment.js"
import { type Finding, ok, warning } from "./finding.js"

/** Whether the server that adapter-node of SvelteKit builds knows its origin. It refuses every form of another one. */
export function formFindings(project: Project, environment: Environment): Finding[] {
  if (!depends(project.manifest, "@sveltejs/adapter-node")) return []
  if (knowsOrigin(project, environment)) return [ok("forms", "the server of @sveltejs/adapter-node knows its origin")]
  const fix =
    majorOf(project, "@sveltejs/kit") === 2
      ? "Start it with `ORIGIN=https://app.example node build`"
      : 'Set `paths: { origin: "https://app.example" }` in vite.config'
  const problem = 'Without the public origin, `node build` refuses forms with 403, "Cross-site POST form submissions"'
  return [warning("forms", problem, `${fix}, or PROTOCOL_HEADER and HOST_HEADER behind a proxy`)]
}

function knowsOrigin({ root }: Project, { variables }: Environment): boolean {
  if (variables["ORIGIN"] || variables["PROTOCOL_HEADER"]) return true
  const texts = readdirSync(root)
    .filter((name) => /^(?:vite\.config\.\w+|package\.json|Dockerfile|\w+\.m?js)$/.test(name))
    .map((name) => readFileSync(join(root, name), "utf8"))
  return texts.some((text) => /\b(?:origin\s*:|ORIGIN\b|PROTOCOL_HEADER\b)/.test(text))
}
