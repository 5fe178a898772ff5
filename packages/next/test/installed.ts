import { spawn } from "node:child_process"
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { onTestFinished } from "vitest"

export const root: string = fileURLToPath(new URL("../../..", import.meta.url))
/** What an application of Next.js 16 has installed. */
export const installed: string = join(root, "tests/next/with-16/node_modules")

/** Which compiler: the one applications of today have, or the one this repository is built with. */
export type Compiler = "TypeScript 6" | "TypeScript 7"

const programs: Readonly<Record<Compiler, string>> = {
  "TypeScript 6": join(installed, "typescript/bin/tsc"),
  "TypeScript 7": join(root, "node_modules/typescript/bin/tsc"),
}

export function emptyFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "latchkey-types-"))
}

/** One that is gone after the test. */
export async function folderOfItsOwn(): Promise<string> {
  const folder = await emptyFolder()
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Packages by the names that they are imported by. */
export async function link(modules: string, packages: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, target] of Object.entries(packages)) {
    await mkdir(dirname(join(modules, name)), { recursive: true })
    await symlink(target, join(modules, name))
  }
}

/** The files of a package as they are published: nothing in the copy leads back here. */
export async function publish(short: string, to: string): Promise<void> {
  for (const part of ["package.json", "dist"]) {
    await cp(join(root, "packages", short, part), join(to, part), { recursive: true })
  }
}

export async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

/** What the compiler says about the project in a folder; nothing if all is well. */
export async function complaints(
  folder: string,
  compiler: Compiler,
  args: readonly string[] = ["-p", "."],
): Promise<string> {
  const child = spawn(process.execPath, [programs[compiler], ...args, "--pretty", "false"], { cwd: folder })
  const words: string[] = []
  child.stdout.on("data", (chunk: Buffer) => words.push(chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => words.push(chunk.toString()))
  const code = await new Promise<number | null>((done, fail) => child.on("close", done).on("error", fail))
  return code === 0 ? "" : `${words.join("")}(code ${code})`
}

/** As `next build` writes it into a new application. */
export const tsconfigOfNext = {
  compilerOptions: {
    target: "ES2017",
    lib: ["dom", "dom.iterable", "esnext"],
    allowJs: true,
    skipLibCheck: true,
    strict: true,
    noEmit: true,
    esModuleInterop: true,
    module: "esnext",
    moduleResolution: "bundler",
    resolveJsonModule: true,
    isolatedModules: true,
    jsx: "react-jsx",
    types: ["node", "react"],
    paths: { "@/*": ["./*"] },
  },
  include: ["next-env.d.ts", "**/*.ts", "**/*.tsx"],
  exclude: ["node_modules"],
} as const
