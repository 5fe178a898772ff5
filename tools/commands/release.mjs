import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { performance } from "node:perf_hooks"
import { machinePath } from "../bootstrap.mjs"
import { isRepositoryKnown, repositoryUrl } from "../links.mjs"
import { collect } from "../release-files.mjs"
import { capture, Failure, seconds } from "../shell.mjs"
import { root } from "../workspace.mjs"

/**
 * Prepares a release from the last commit, in a clone: it doesn't change this checkout, and never publishes.
 * @param {string[]} args
 */
export async function release(args) {
  const { isDryRun, skipsSmoke, out } = optionsIn(args)
  if (!isDryRun) throw new Failure(refusal())
  await warnAboutChanges()
  const parent = mkdtempSync(join(tmpdir(), "latchkey-release-"))
  try {
    const copy = await cloneInto(join(parent, "latchkey"))
    await step("versions and changelogs, by changesets", copy, ["exec", "changeset", "version"])
    await step("pack", copy, ["pack"])
    await step("publint and Are The Types Wrong", copy, ["check", "publishing"])
    if (!skipsSmoke) await step("install the tarballs and use them", copy, ["smoke"])
    const boms = join(parent, "sbom")
    mkdirSync(boms)
    await step("a bill of materials for each package", copy, ["exec", "pnpm", ...sbom, "--out", join(boms, "%s.json")])
    report(await collect({ copy, boms, out }), out)
  } finally {
    rmSync(parent, { recursive: true, force: true })
  }
}

/** From the lockfile. Packages of users bring the peers. */
const sbom = [
  "sbom",
  "--sbom-format=cyclonedx",
  "--sbom-spec-version=1.6",
  "--split",
  "--prod",
  "--exclude-peers",
].concat(["--lockfile-only", "--filter=./packages/*"])

/** @param {string[]} args */
function optionsIn(args) {
  const out = args.find((arg) => arg.startsWith("--out="))?.slice("--out=".length)
  const unknown = args.filter((arg) => !["--dry-run", "--skip-smoke", `--out=${out}`].includes(arg))
  if (unknown.length > 0) throw new Failure(`There is no option ${unknown.join(", ")}. See \`node tools/run.mjs\`.`)
  return {
    isDryRun: args.includes("--dry-run"),
    skipsSmoke: args.includes("--skip-smoke"),
    out: out === undefined ? join(root, "dist", "release") : resolve(out),
  }
}

function refusal() {
  const { env } = process
  const missing = [
    env["CI"] === "true" || "CI: provenance needs a build that others can look up (`CI=true`)",
    isToken(env["ACTIONS_ID_TOKEN_REQUEST_URL"], env["NPM_ID_TOKEN"]) ||
      "an OIDC token of the CI service, for provenance",
    isToken(env["ACTIONS_ID_TOKEN_REQUEST_URL"], env["NPM_ID_TOKEN"], env["NODE_AUTH_TOKEN"], env["NPM_TOKEN"]) ||
      "a token of npm (`NODE_AUTH_TOKEN`), or a trusted publisher",
    isRepositoryKnown() || `the repository: package.json has ${repositoryUrl()}, which stands for an unknown address`,
    "the names on npm, and the step that publishes: this command has none",
  ].filter((each) => typeof each === "string")
  return `Latchkey can't be published from here. Run \`npm run release -- --dry-run\`. Missing:\n  ${missing.join("\n  ")}`
}

/** @param {(string | undefined)[]} values */
function isToken(...values) {
  return values.some((value) => value !== undefined && value !== "")
}

async function warnAboutChanges() {
  const { code, stdout } = await capture("git", ["status", "--porcelain"], { cwd: root })
  if (code !== 0)
    throw new Failure("A release comes from a commit, and this folder is no git checkout. Clone the repository.")
  if (stdout !== "") console.log("The release comes from the last commit: changes that aren't committed aren't in it.")
}

/** @param {string} copy */
async function cloneInto(copy) {
  const { code, output } = await capture("git", ["clone", "--quiet", "--shared", root, copy])
  if (code !== 0) throw new Failure(`Could not clone the repository:\n${output.trim()}`)
  const [own, copied] = [root, copy].map((folder) => join(folder, "tools"))
  const isSame = [own, copied].map((folder = "") => readFileSync(join(folder, "package-lock.json"), "utf8"))
  const installed = join(own ?? "", "node_modules")
  // With another lockfile, the commands of the copy would change the tools of this checkout.
  if (existsSync(installed) && isSame[0] === isSame[1]) symlinkSync(installed, join(copied ?? "", "node_modules"))
  return copy
}

/** Runs a command of the copy. @param {string} name @param {string} copy @param {string[]} args */
async function step(name, copy, args) {
  const since = performance.now()
  const { npm_config_user_agent: _, ...rest } = process.env
  const options = { cwd: copy, env: { ...rest, PATH: machinePath } }
  const { code, output } = await capture(process.execPath, [join(copy, "tools", "run.mjs"), ...args], options)
  console.log(`${code === 0 ? "✔" : "✘"} ${name} (${seconds(since)})`)
  if (code !== 0) throw new Failure(`\`node tools/run.mjs ${args.join(" ")}\` failed in a clone:\n${output.trim()}`)
}

/** @param {import("../release-files.mjs").Release} made @param {string} out */
function report({ packages, changelog }, out) {
  console.log(`\n${changelog}\nA release would, in this order:\n`)
  for (const { tarball } of packages) console.log(`  npm publish ${tarball} --provenance --access public`)
  const version = packages.find(({ name }) => name === "@latchkey/sql")?.version
  const scopes = packages.flatMap(({ name }) => /^@[^/]+/.exec(name) ?? name)
  console.log(`
  changeset tag

Before, in the commit of the versions: cp packages/sql/schema/next.json packages/sql/schema/${version}.json

Names to claim on npm before: ${[...new Set(scopes)].toSorted().join(", ")}. This command doesn't ask who has them.
Repository, to which READMEs and provenance lead: ${repositoryUrl()}${isRepositoryKnown() ? "" : " (set `repository` in package.json before)"}
${packages.length} tarballs, their bills of materials, CHANGELOG.md and release.json are in ${out}. Nothing was published.`)
}
