// Core takes time, randomness and network from `Runtime` (design §10). oxlint bans the names; this bans the shapes it cannot.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Failure } from "../shell.mjs"
import { filesBelow, root, shown } from "../workspace.mjs"

const bans = [
  { pattern: /\bnew Date\(\s*\)/, advice: "take the time from `runtime.now()`" },
  { pattern: /(?<![.\w])Date\(\s*\)/, advice: "take the time from `runtime.now()`" },
  { pattern: /\b(?:globalThis|self|window)[.[]/, advice: "take what you need of the world from `Runtime`" },
]

export async function checkWorld() {
  const problems = filesBelow(join(root, "packages", "core", "src"))
    .filter(isEngine)
    .flatMap(problemsIn)
  if (problems.length > 0) throw new Failure(problems.join("\n"))
}

/** @param {string} path */
function isEngine(path) {
  return path.endsWith(".ts") && !path.endsWith(".test.ts") && !/src[\\/](?:runtime\.ts|crypto[\\/])/.test(path)
}

/** @param {string} path */
function problemsIn(path) {
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line, index) =>
      /^\s*(?:\/\/|\/?\*)/.test(line)
        ? []
        : bans
            .filter(({ pattern }) => pattern.test(line))
            .map(({ advice }) => `${shown(path)}:${index + 1} ${line.trim()}: ${advice}`),
    )
}
