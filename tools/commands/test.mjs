import { unchangedSuites } from "../changed-frameworks.mjs"
import { run } from "../shell.mjs"
import { root } from "../workspace.mjs"

/**
 * Runs vitest without the tests of the project `long`, or with them when they are asked for: `--all` runs everything,
 * `--rest` only them, and an argument that names one of them includes them. `--frameworks-changed-since=main` leaves
 * out the suites of frameworks that don't differ from a branch. `--part=2/20` runs a twentieth of the suites of frameworks, of
 * applications and of the long tests, and everything else. `--write-pages` replaces the screenshots of the built-in pages.
 * tools/reporter.mjs sums up.
 * @param {string[]} args
 */
export async function test(args) {
  const flags = new Set(args.filter((arg) => own.includes(arg)))
  const since = valueOf(args, changedSince)
  const part = valueOf(args, partOf)
  const excluded = since === undefined ? [] : await unchangedSuites(since)
  const passedOn = args.filter((arg) => ![...own, changedSince, partOf].some((flag) => arg.startsWith(flag)))
  const env = {
    ...process.env,
    ...(flags.has("--no-skips") && { LATCHKEY_NO_SKIPS: "1" }),
    ...(excluded.length > 0 && { UNCHANGED_SUITES: excluded.join(",") }),
    ...(part !== undefined && { TEST_PART: part }),
    ...(flags.has("--write-matrix") && { LATCHKEY_MATRIX: "write" }),
    ...(flags.has("--write-pages") && { LATCHKEY_PAGES: "write" }),
  }
  const chosen = part === undefined ? projects(flags, passedOn) : []
  const code = await run("vitest", ["run", ...chosen, ...passedOn], { cwd: root, env, input: "inherit" })
  if (code !== 0) process.exitCode = code
}

const changedSince = "--frameworks-changed-since="
const partOf = "--part="

const own = ["--all", "--rest", "--no-skips", "--write-matrix", "--write-pages"]

/** @param {readonly string[]} args @param {string} flag */
function valueOf(args, flag) {
  return args.find((arg) => arg.startsWith(flag))?.slice(flag.length)
}

/** @param {ReadonlySet<string>} flags @param {readonly string[]} args */
function projects(flags, args) {
  if (flags.has("--rest")) return ["--project=long"]
  return flags.has("--all") || args.some((arg) => /\blong\b|^--project/.test(arg)) ? [] : ["--project=!long"]
}
