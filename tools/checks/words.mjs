// What must not stand in any file of ours: traces of one machine, unfinished business, holes in the types.
import { existsSync, readFileSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { capture, Failure } from "../shell.mjs"
import { filesBelow, root, shown } from "../workspace.mjs"

/** @typedef {{ pattern: RegExp, files: RegExp, advice: string }} Ban */

const code = /\.(?:ts|tsx|mts)$/
const everything = /./

/** @type {Ban[]} */
const standing = [
  { pattern: /\bTO[D]O\b|\bFIX[M]E\b/, files: everything, advice: "do it, or open an issue" },
  {
    pattern: /^(?!\s*(?:\/\/|\/?\*)).*(?:[:<|&,(]|\bas|=>)\s*any\b(?=\s*(?:[;,)>\]|&=[{]|$))/,
    files: code,
    advice: "say what it is, or `unknown`",
  },
  {
    pattern: /@ts-(?:ignore|nocheck)|(?:oxlint|eslint|biome)-(?:disable|ignore)/,
    files: code,
    advice: "correct the cause",
  },
  {
    pattern: /^\s*(?:"resolved":|.*\btarball: )/,
    files: /(?:package-lock\.json|pnpm-lock\.yaml)$/,
    advice: "lockfiles name no registry",
  },
]

export async function checkWords() {
  const bans = [...standing, ...(await bansOfThisMachine())]
  const problems = (await ourFiles()).flatMap((path) => problemsIn(path, bans))
  if (problems.length > 0) throw new Failure(problems.join("\n"))
}

/** Tracked files and those that will be; without git, all but the ignored folders. */
async function ourFiles() {
  const listed = await capture("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: root }).catch(() => ({
    code: 1,
    stdout: "",
  }))
  const paths =
    listed.code === 0
      ? listed.stdout.split("\0").map((name) => join(root, name))
      : filesBelow(root).filter((path) => !/[\\/]dist[\\/]/.test(path))
  return paths.filter(
    (path) =>
      existsSync(path) && /\.(?:[cm]?[jt]sx?|json|ya?ml|md|css|html|sh)$|[\\/](?:run|\.npmrc|\.gitignore)$/.test(path),
  )
}

/** @returns {Promise<Ban[]>} */
async function bansOfThisMachine() {
  const shared = new Set(["/", tmpdir(), "/home", "/Users", "/usr", "/opt"])
  const folders = [root, dirname(root), homedir()].filter((folder) => !shared.has(folder))
  const { stdout } = await capture("npm", ["config", "get", "registry"], { cwd: root })
  const host = /^https?:\/\/([^/:]+)/.exec(stdout.trim())?.[1]
  const hosts = host === undefined || host === "registry.npmjs.org" ? [] : [host]
  return [...folders.map((folder) => `${folder}/`), ...hosts].map((text) => ({
    pattern: new RegExp(`(?<![\\w/])${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`),
    files: everything,
    advice: "name nothing of this machine",
  }))
}

/** @param {string} path @param {Ban[]} bans */
function problemsIn(path, bans) {
  const wanted = bans.filter(({ files }) => files.test(path))
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line, index) =>
      wanted
        .filter(({ pattern }) => pattern.test(line))
        .map(({ advice }) => `${shown(path)}:${index + 1} ${line.trim().slice(0, 100)}: ${advice}`),
    )
}
