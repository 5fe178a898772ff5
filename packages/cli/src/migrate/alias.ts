import { bridge, isSwapped, rangesOf } from "../project/project.js"
import { withRenamed } from "../project/manifest.js"
import { rangeOf } from "../version.js"
import type { App } from "./app.js"
import { counterparts } from "./specifiers.js"

/** Makes each package of Auth.js an alias of Latchkey's, so that the code can stay. */
export function aliasDependencies({ draft, isVersion4, project }: App): void {
  const text = draft.get("package.json")
  if (text === undefined) return
  const renamings = Object.entries(rangesOf(project.manifest)).flatMap(([name, range]) => {
    const target = name === "next-auth" && isVersion4 ? bridge : counterparts[name]
    if (target === undefined || !/^(?:next-auth$|@auth\/)/.test(name) || isSwapped(project, name)) return []
    const to = `npm:${target}@${rangeOf(target)}`
    if (!/^(?:catalog|workspace):/.test(range)) return [{ from: name, to: name, range: to }]
    draft.leave(`has ${name} from elsewhere (${range}). Change it to ${to} there.`, "package.json")
    return []
  })
  draft.set("package.json", withRenamed(text, renamings))
  if (renamings.length > 0)
    draft.note("The code stays as it is. When it runs, `npx latchkey migrate` changes the imports.", "package.json")
}
