import { execFile, spawn } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { onTestFinished } from "vitest"
import { freePort } from "../servers/process.js"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** An app made by a quick start, while it runs. */
export interface QuickStart {
  readonly origin: string
  /** Everything the commands wrote to the terminal. */
  output(): string
}

/** Packs packages as `npm run pack` does, into a temporary folder, from what is built. */
export async function packPackages(names: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-packed-"))
  for (const name of names) {
    const cwd = join(root, "packages", name)
    await promisify(execFile)("pnpm", ["pack", "--pack-destination", folder], { cwd })
  }
  return folder
}

/** Does what a section of the README or of docs/getting-started.md says, in an empty folder, and waits until the app answers. */
export async function follow(heading: string, packed: string): Promise<QuickStart> {
  const [folder, port] = [await mkdtemp(join(tmpdir(), "latchkey-quick-start-")), await freePort()]
  const pages = [join(root, "README.md"), join(root, "docs", "getting-started.md")]
  const documents = await Promise.all(pages.map(async (page) => readFile(page, "utf8")))
  const script = scriptOf(sectionOf(documents.join("\n"), heading))
  let output = ""
  // `detached` makes a process group, so that the server ends with the shell that started it.
  const shell = spawn("bash", ["-euo", "pipefail", "-c", adapted(script, port)], {
    cwd: folder,
    detached: true,
    env: {
      ...process.env,
      LATCHKEY: packed,
      PORT: String(port),
      PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter),
      NODE_ENV: undefined,
      NEXT_TELEMETRY_DISABLED: "1",
      // npx asks before it downloads a program.
      npm_config_yes: "true",
      npm_config_prefer_offline: "true",
      npm_config_audit: "false",
      npm_config_fund: "false",
    },
  })
  for (const stream of [shell.stdout, shell.stderr]) stream.on("data", (part) => (output += String(part)))
  const ended = new Promise<void>((resolve) => shell.once("close", () => resolve()))
  onTestFinished(async () => {
    if (shell.exitCode === null && shell.pid !== undefined) process.kill(-shell.pid, "SIGKILL")
    await ended
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  })
  const origin = `http://localhost:${port}`
  while (!(await answers(origin))) {
    if (shell.exitCode !== null) throw new Error(`The commands ended with code ${shell.exitCode}:\n${output}`)
    await setTimeout(200)
  }
  return { origin, output: () => output }
}

function sectionOf(document: string, heading: string): string {
  const section = document.split(/^## /m).find((part) => part.startsWith(`${heading}\n`))
  if (section === undefined) throw new Error(`No page has a section "${heading}"`)
  return section
}

/** Commands as they are; a block of code becomes the file that its first line names. */
function scriptOf(section: string): string {
  const blocks = [...section.matchAll(/^```(?<language>\w+)\n(?<code>.*?)^```/gms)]
  const parts = blocks.map(({ groups }) => {
    const { language, code = "" } = groups ?? {}
    if (language === "sh") return code
    const path = /^\/\/ (\S+)\n/.exec(code)?.[1]
    if (path === undefined) throw new Error(`A block does not name its file in the first line:\n${code}`)
    return `mkdir -p '${dirname(path)}'\ncat > '${path}' <<'END-OF-FILE'\n${code}END-OF-FILE\n`
  })
  return parts.join("")
}

/** Port 3000 may be taken, and the newest version of a generator may differ tomorrow; everything else is as printed. */
function adapted(script: string, port: number): string {
  return script.replaceAll("3000", String(port)).replace("create-next-app@latest", "create-next-app@16.4.3")
}

async function answers(origin: string): Promise<boolean> {
  try {
    await fetch(origin, { redirect: "manual" })
    return true
  } catch {
    return false
  }
}
