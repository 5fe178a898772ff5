import { readFileSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { dirname } from "node:path"
import { capture, Failure } from "../shell.mjs"
import { root, shown, textFiles } from "../workspace.mjs"

/** @typedef {{ pattern: RegExp, files?: RegExp, advice: string }} Ban `files`: all when left out */

const source = /\.[cm]?tsx?$/
/** The files that use `Runtime`. oxlint bans `fetch` and `Date.now`; it has no rule for the shapes below. */
const engine = /^packages\/core\/src\/(?!primitives\/runtime\.ts|crypto\/).*(?<!\.test)\.ts$/

/** @type {Ban[]} */
const standing = [
  { pattern: /\bTO[D]O\b|\bFIX[M]E\b/, advice: "do it, or open an issue" },
  {
    pattern: /@ts-(?:ignore|nocheck)|(?:oxlint|eslint|biome)-(?:disable|ignore)/,
    files: source,
    advice: "fix the cause",
  },
  { pattern: /^(?!\s*(?:\/\/|\/?\*)).*\bDate\(\s*\)/, files: engine, advice: "use `runtime.now()`" },
  {
    pattern: /^(?!\s*(?:\/\/|\/?\*)).*\b(?:globalThis|self|window)[.[]/,
    files: engine,
    advice: "add what you need to `Runtime`",
  },
  {
    pattern: /^\s*(?:"resolved":|.*\btarball: )/,
    files: /(?:package-lock\.json|pnpm-lock\.yaml)$/,
    advice: "remove it, so that the lockfile works with every registry",
  },
]

/** @type {Ban[]} */
const spelling = [
  { pattern: /(?<![\w"'`/.-])e-mails?(?![\w"'`/-])/i, advice: "write email" },
  { pattern: /\bwhom?ever\b/i, advice: "name the actor: the user, the visitor, the attacker, you" },
  {
    pattern: /\b(?:[Ss]ome|[Nn]o|[Aa]ny|[Ee]very)body\b/,
    advice: "name the actor: a user, no user, a visitor, an attacker",
  },
  { pattern: /\b(?:behavi|col|fav|flav|hon|lab|neighb)our/i, advice: "write -or" },
  {
    pattern:
      /\b\w*(?:anonym|apolog|author|canonical|categor|custom|final|general|initial|local|maxim|memor|minim|normal|optim|organ|personal|priorit|random|real|recogn|sanit|serial|special|standard|summar|synchron|token|util)is(?:e[drs]?|ers?|ing|ations?)\b/i,
    advice: "write -iz-",
  },
  { pattern: /\banalys(?:e[dr]?|ing)\b/i, advice: "write -yz-" },
  { pattern: /\b(?:cancel|label|model|signal|travel|tunnel)l(?:ed|ing)\b/i, advice: "write one l" },
  { pattern: /\b(?:defen|licen|offen|preten)ces?\b/i, advice: "write -se" },
  { pattern: /\b(?:centre|fibre|metre)[ds]?\b/i, advice: "write -er" },
  { pattern: /\b(?:analogue|dialogue)s?\b/i, advice: "write -og" },
  { pattern: /\b(?:acknowledgement|amongst|grey|judgement|whilst)\b/i, advice: "use the American form" },
]

/** Applications as users of next-auth write them, data of providers, other languages, names of packages. */
const foreign =
  /^(?:tests\/next\/(?:app|docs|intl|swap)\/|packages\/core\/src\/i18n\/languages\/(?!en\.ts)|packages\/(?:anonymous|api-keys|bearer|mfa|password|phone)\/src\/texts\/(?!en\.ts)|packages\/(?:next\/test\/examples|core\/test\/providers\/facts)\/|.*lock\.(?:json|yaml)$)/

/** Finds traces of one machine, unfinished work and suppressed errors. */
export async function checkWords() {
  report([...standing, ...(await bansOfThisMachine())], await textFiles())
}

/** Finds British spelling and words that CONTRIBUTING.md rules out. */
export async function checkSpelling() {
  const files = await textFiles()
  report(
    spelling,
    files.filter((path) => path !== import.meta.filename && !foreign.test(shown(path))),
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
    advice: "remove it: it exists on this machine only",
  }))
}

/** @param {readonly Ban[]} bans @param {readonly string[]} paths */
function report(bans, paths) {
  const problems = paths.flatMap((path) => {
    const wanted = bans.filter(({ files }) => files === undefined || files.test(shown(path)))
    return readFileSync(path, "utf8")
      .split("\n")
      .flatMap((line, index) =>
        wanted.flatMap(({ pattern, advice }) => {
          const found = pattern.exec(line)?.[0].trim().slice(0, 100)
          return found === undefined ? [] : [`${shown(path)}:${index + 1} ${found}: ${advice}`]
        }),
      )
  })
  if (problems.length > 0) throw new Failure(problems.join("\n"))
}
