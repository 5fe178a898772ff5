// `changeset status` needs a history to compare with; this needs only the files.
import { readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { Failure } from "../shell.mjs"
import { filesBelow, packages, root, shown } from "../workspace.mjs"

export async function checkChangesets() {
  const folder = join(root, ".changeset")
  const config = JSON.parse(readFileSync(join(folder, "config.json"), "utf8"))
  const problems = [
    ...(config.access === "public"
      ? []
      : [`.changeset/config.json: "access" must be "public", else npm keeps scoped packages private`]),
    ...(config.baseBranch === "main" ? [] : [`.changeset/config.json: "baseBranch" must be "main"`]),
    ...filesBelow(folder)
      .filter((path) => path.endsWith(".md") && basename(path) !== "README.md")
      .flatMap(problemsIn),
  ]
  if (problems.length > 0) throw new Failure(problems.join("\n"))
}

/** @param {string} path */
function problemsIn(path) {
  const names = new Set(packages().map(({ manifest }) => manifest.name))
  const [, front = "", body = ""] = /^---\n(.*?)\n---\n(.*)$/s.exec(readFileSync(path, "utf8")) ?? []
  const lines = front.split("\n").filter(Boolean)
  const wrong = lines.filter((line) => {
    const [, name = "", bump] = /^"(.+)": (major|minor|patch)$/.exec(line) ?? []
    return bump === undefined || !names.has(name)
  })
  return [
    ...(lines.length === 0 ? [`${shown(path)} names no package`] : []),
    ...(body.trim() === "" ? [`${shown(path)} says nothing to users`] : []),
    ...wrong.map((line) => `${shown(path)}: ${line}: not one of our packages with major, minor or patch`),
  ]
}
