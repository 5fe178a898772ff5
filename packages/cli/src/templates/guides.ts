import type { Project } from "../project/project.js"
import { expressFiles, expressLines } from "./express.js"

/** Lines for a file of the application, which `init` doesn't change. */
export interface Addition {
  /** Its path, or words for it. */
  readonly file: string
  readonly lines: readonly string[]
}

/** What to do by hand after `init`. */
export interface Guide {
  readonly additions: readonly Addition[]
  /** The files that many applications have. If one exists, `init` keeps it and shows these lines. */
  readonly shared: Readonly<Record<string, readonly string[]>>
}

const none: Guide = { additions: [], shared: {} }

export function guideFor(project: Project): Guide {
  return guides[project.framework.id]?.(project) ?? none
}

const guides: Readonly<Record<string, (project: Project) => Guide>> = {
  express: (project) => server("Express", expressLines(expressFiles(project)[0]?.path ?? "")),
}

/** Lines for the file that creates a server, which `init` can't name. */
function server(name: string, lines: readonly string[]): Guide {
  return { ...none, additions: [{ file: `the file that creates the ${name} app`, lines }] }
}
