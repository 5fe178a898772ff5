import { spawn } from "node:child_process"
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { onTestFinished } from "vitest"

export const root: string = fileURLToPath(new URL("../../..", import.meta.url))
/** The built program. */
export const program: string = join(root, "packages/cli/dist/bin.js")

export interface RunResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  /** Another copy of the program. */
  readonly program?: string
}

/** Runs the program in a folder, without a terminal and with a minimal environment. */
export async function latchkey(cwd: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const { PATH = "", HOME = "" } = process.env
  const child = spawn(process.execPath, [options.program ?? program, ...args], {
    cwd,
    env: { PATH, HOME, ...options.env },
  })
  const closed = new Promise<number | null>((resolve, reject) => child.once("close", resolve).once("error", reject))
  child.stdin.end(options.input ?? "")
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  return { code, stdout, stderr }
}

/** The output of `--json`. */
export function jsonOf({ stdout }: RunResult): Record<string, unknown> {
  // Tests check the values they use.
  return JSON.parse(stdout) as Record<string, unknown>
}

/** A temporary application, with linked packages in node_modules. */
export async function application(
  files: Readonly<Record<string, string>>,
  modules: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-cli-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
  for (const [path, content] of Object.entries(files)) await write(folder, path, content)
  for (const [name, target] of Object.entries(modules)) {
    await mkdir(dirname(join(folder, "node_modules", name)), { recursive: true })
    await symlink(target, join(folder, "node_modules", name), "dir")
  }
  return folder
}

export async function write(folder: string, path: string, content: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), content)
}

export function read(folder: string, path: string): Promise<string> {
  return readFile(join(folder, path), "utf8")
}

/** The text of every file by path, without `node_modules`. */
export async function filesOf(folder: string): Promise<Record<string, string>> {
  const items = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = items.filter((item) => item.isFile() && !item.parentPath.includes("node_modules"))
  const paths = files.map((item) => join(item.parentPath, item.name).slice(folder.length + 1)).toSorted()
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await read(folder, path)] as const)))
}

const workspace = join(root, "packages")

/** The packages of a Next.js 16 application. */
export const besideNext: Readonly<Record<string, string>> = {
  "@latchkey/next": join(workspace, "next"),
  "@latchkey/core": join(workspace, "core"),
  "@latchkey/sql": join(workspace, "sql"),
  next: join(root, "tests/next/with-16/node_modules/next"),
  react: join(root, "tests/next/with-16/node_modules/react"),
  "react-dom": join(root, "tests/next/with-16/node_modules/react-dom"),
}

export const besideExpress: Readonly<Record<string, string>> = {
  "@latchkey/express": join(workspace, "express"),
  "@latchkey/core": join(workspace, "core"),
  "@latchkey/sql": join(workspace, "sql"),
  express: join(workspace, "cli/node_modules/express"),
}

/** The packages of a Qwik 1 application. */
export const besideQwik: Readonly<Record<string, string>> = {
  "@latchkey/qwik": join(workspace, "qwik"),
  "@latchkey/core": join(workspace, "core"),
  "@latchkey/sql": join(workspace, "sql"),
  "@builder.io/qwik": join(workspace, "qwik/node_modules/@builder.io/qwik"),
  "@builder.io/qwik-city": join(workspace, "qwik/node_modules/@builder.io/qwik-city"),
}

export function manifest(dependencies: Readonly<Record<string, string>>, more: object = {}): string {
  return `${JSON.stringify({ name: "app", private: true, type: "module", dependencies, ...more }, null, 2)}\n`
}
