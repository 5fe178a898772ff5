import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { Failure, wrongUsage } from "../failure.js"
import { type Context, done, type Outcome } from "../outcome.js"
import { assign } from "../project/env-text.js"
import { exposure, readEnvFile, writeEnv } from "../project/env-file.js"
import { plain } from "../project/framework.js"
import { type Project, projectAt, rootAbove } from "../project/project.js"

export interface SecretOptions {
  readonly raw?: boolean
  readonly copy?: boolean
  readonly file?: string
  readonly force?: boolean
}

/** 32 random bytes in base64. Every key is derived from them. */
export function newSecret(): string {
  return randomBytes(32).toString("base64")
}

/** `latchkey secret` */
export async function secret(context: Context, options: SecretOptions): Promise<Outcome> {
  const { terminal, cwd } = context
  if (options.raw === true && options.copy === true) throw wrongUsage("--raw and --copy can't be combined.")
  if (options.raw === true) {
    const value = newSecret()
    if (!terminal.json) terminal.print(value)
    return done({ secret: value })
  }
  if (options.copy === true) {
    copy(assign("AUTH_SECRET", newSecret(), { expands: false }))
    terminal.say('Copied AUTH_SECRET="…" to the clipboard. Paste it into an env file.')
    return done({ copied: true })
  }
  const project = projectHere(cwd)
  const file = options.file ?? project.framework.envFile
  await confirmReplacement(context, project, file, options.force === true)
  const existed = existsSync(join(project.root, file))
  writeEnv(project, file, new Map([["AUTH_SECRET", newSecret()]]))
  return written(context, project, { file, existed })
}

/** Works without a package.json, too. */
function projectHere(cwd: string): Project {
  const root = rootAbove(cwd)
  return root === undefined ? { root: cwd, manifest: {}, framework: plain, typescript: false } : projectAt(root)
}

/** Replacing a secret signs all users out, so it needs a confirmation. */
async function confirmReplacement(
  { terminal }: Context,
  { root }: Project,
  file: string,
  force: boolean,
): Promise<void> {
  if (force || !readEnvFile(root, file).get("AUTH_SECRET")) return
  const warning = `${file} already has an AUTH_SECRET. Replacing it signs all users out.`
  if (terminal.ask === undefined) throw new Failure(`${warning} To replace it, pass --force.`)
  if (!(await terminal.ask.confirm(`${warning} Replace it?`, false))) throw new Failure("No file was changed.")
}

function written(
  { terminal }: Context,
  { root, framework }: Project,
  { file, existed }: { file: string; existed: boolean },
): Outcome {
  const warning = exposure(root, file)
  const { green, yellow, dim } = terminal.style
  terminal.say(`${green("✔")} Wrote AUTH_SECRET to ${file}${existed ? "" : " (new, readable by you only)"}`)
  if (framework === plain)
    terminal.say(dim(`  No known framework was found, so this is ${file}. Choose another file with --file.`))
  if (warning !== undefined) terminal.say(`${yellow("!")} ${warning}`)
  terminal.say(dim("  Use a different secret for each environment: `npx latchkey secret --raw` prints one."))
  return done({ file, created: !existed, framework: framework.id, ...(warning === undefined ? {} : { warning }) })
}

const clipboards: readonly (readonly [program: string, ...args: string[]])[] = [
  ["pbcopy"],
  ["clip.exe"],
  ["wl-copy"],
  ["xclip", "-selection", "clipboard"],
  ["xsel", "--clipboard", "--input"],
]

function copy(text: string): void {
  for (const [program, ...args] of clipboards) {
    const { status } = spawnSync(program, args, { input: text, stdio: ["pipe", "ignore", "ignore"], timeout: 3000 })
    if (status === 0) return
  }
  throw new Failure("No clipboard program was found. Use --raw, or install xclip or wl-clipboard.")
}
