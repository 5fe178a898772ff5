import { existsSync } from "node:fs"
import { cp, mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Command, runToEnd } from "../applications/processes.js"
import { apply, type FileStep, read } from "./guide.js"
import type { Starter, Variables } from "./starter.js"
import { isOurs, tarballsOf } from "./tarballs.js"

/** Makes an application in the folder `app` of an empty folder. */
export type Maker = (starter: Starter, parent: string, values: Variables) => Promise<void>

/** Follows the guide in the application of the starter. */
export const withGuide: Maker = async (starter, parent, values) => {
  const { commands, files } = await read(starter.guide)
  const app = await create(starter, parent)
  await apply([...files, ...(await signInFiles(starter))], app, values)
  for (const command of commands) await perform(command, app)
  if (!commands.some(installs)) await must(["npm", "install"], app)
}

async function signInFiles({ signInPage }: Starter): Promise<readonly FileStep[]> {
  return signInPage === undefined ? [] : (await read(signInPage.guide)).files
}

/** Runs `latchkey init`, does what it prints, and takes from the guide the files that it leaves to the user. */
export const withInit: Maker = async (starter, parent, values) => {
  const { commands, files } = await read(starter.guide)
  const app = await create(starter, parent)
  for (const command of commands) await perform(installs(command) ? without(command, isOurs) : command, app)
  await install(app, ["-D", "latchkey", "@latchkey/core"])
  const before = await dependenciesOf(app)
  const output = await must(
    ["npx", "latchkey", "init", ...(starter.init?.args ?? []), "--provider", "github", "--no-input", "--json"],
    app,
  )
  const { written, additions } = JSON.parse(output) as Initialized
  await fillIn(app, written, values)
  const taken = files.filter(({ path }) => ![...written, ...(starter.init?.except ?? [])].includes(path))
  await apply([...taken, ...filesAfter(starter, additions), ...(await signInFiles(starter))], app, values)
  await install(
    app,
    (await dependenciesOf(app)).filter((name) => !before.includes(name)),
  )
}

/** What the user writes with the lines that `init` shows. */
function filesAfter({ init }: Starter, additions: Initialized["additions"]): readonly FileStep[] {
  const lines = additions.flatMap((addition) => addition.lines)
  const imports = lines.filter((line) => line.startsWith("import ")).join("\n")
  const others = lines.filter((line) => !line.startsWith("import ")).join("\n")
  return Object.entries(init?.files ?? {}).map(([path, text]) => ({
    path,
    text: text.replace("{imports}", imports).replace("{additions}", others),
    adds: false,
  }))
}

/** What `latchkey init --json` prints. */
interface Initialized {
  readonly written: readonly string[]
  readonly additions: readonly { readonly file: string; readonly lines: readonly string[] }[]
}

/** Runs a command of the guide. npm doesn't have our packages yet. */
async function perform(command: Command, app: string): Promise<void> {
  if (installs(command)) await install(app, command.slice(2))
  else await must(command, app)
}

function installs([program, name]: Command): boolean {
  return program === "npm" && name === "install"
}

function without([program, ...args]: Command, isLeftOut: (arg: string) => boolean): Command {
  return [program, ...args.filter((arg) => !isLeftOut(arg))]
}

async function create({ create: command, template }: Starter, parent: string): Promise<string> {
  const app = join(parent, "app")
  if (template === undefined) await must(command, parent)
  else await cp(folderOf(template), app, { recursive: true })
  return app
}

function folderOf(template: string): string {
  return fileURLToPath(new URL(`templates/${template}`, import.meta.url))
}

/** Replaces a template by what the starter makes. */
export async function record({ create: command, template }: Starter): Promise<void> {
  if (template === undefined) return
  const parent = await mkdtemp(join(tmpdir(), "latchkey-starter-"))
  await must(command, parent)
  await rm(folderOf(template), { recursive: true })
  await cp(join(parent, "app"), folderOf(template), { recursive: true })
  await rm(parent, { recursive: true })
}

async function install(app: string, args: readonly string[]): Promise<void> {
  const ours = await tarballsOf(args.filter(isOurs))
  await must(["npm", "install", ...args.filter((arg) => !isOurs(arg)), ...ours], app)
}

/** Milliseconds. npm can wait for the registry. */
const limit = 600_000

/** Runs a command with the variables of this process, which npm needs to reach the registry. */
async function must(command: Command, cwd: string): Promise<string> {
  const { code, output } = await runToEnd(command, { cwd, env: { ...variables(), ...quiet } }, limit)
  if (code !== 0) throw new Error(`\`${command.join(" ")}\` exited with code ${code}:\n${output}`)
  return output
}

function variables(): Variables {
  const set = Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  return Object.fromEntries(set.filter(([name]) => name !== "NODE_ENV"))
}

/** npm and the starters don't ask. */
const quiet = {
  CI: "1",
  npm_config_yes: "true",
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_prefer_offline: "true",
}

async function dependenciesOf(app: string): Promise<readonly string[]> {
  const file = join(app, "package.json")
  const text = existsSync(file) ? await readFile(file, "utf8") : "{}"
  const { dependencies = {}, devDependencies = {} } = JSON.parse(text) as Record<
    string,
    Readonly<Record<string, string>>
  >
  return Object.keys({ ...dependencies, ...devDependencies })
}

/** Gives the variables in the env file that `init` wrote their values. */
async function fillIn(app: string, written: readonly string[], values: Variables): Promise<void> {
  const files = written.filter((path) => path.startsWith(".env"))
  const steps = await Promise.all(
    files.map(async (path) => ({ path, text: await readFile(join(app, path), "utf8"), adds: false })),
  )
  await apply(steps, app, values)
}
