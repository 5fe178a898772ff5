import { spawn } from "node:child_process"
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { onTestFinished } from "vitest"

export const root: string = fileURLToPath(new URL("../../..", import.meta.url))
/** The installed dependencies of a Next.js 16 application. */
export const installed: string = join(root, "tests/next/with-16/node_modules")

/** The compiler that Next.js installs, or the one that builds this repository. */
export type Compiler = "TypeScript 6" | "TypeScript 7"

const programs: Readonly<Record<Compiler, string>> = {
  "TypeScript 6": join(installed, "typescript/bin/tsc"),
  "TypeScript 7": join(root, "node_modules/typescript/bin/tsc"),
}

export function emptyFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "latchkey-types-"))
}

/** Removed after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await emptyFolder()
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Links packages under the names that import them. */
export async function link(modules: string, packages: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, target] of Object.entries(packages)) {
    await mkdir(dirname(join(modules, name)), { recursive: true })
    await symlink(target, join(modules, name))
  }
}

/** Copies the published files of a package, without links back to this repository. */
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

/** The compiler's errors for the project in a folder, or an empty string. */
export async function compileErrors(
  folder: string,
  compiler: Compiler,
  args: readonly string[] = ["-p", "."],
): Promise<string> {
  const child = spawn(process.execPath, [programs[compiler], ...args, "--pretty", "false"], { cwd: folder })
  const output: string[] = []
  child.stdout.on("data", (chunk: Buffer) => output.push(chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => output.push(chunk.toString()))
  const code = await new Promise<number | null>((done, fail) => child.on("close", done).on("error", fail))
  return code === 0 ? "" : `${output.join("")}(code ${code})`
}

/** The tsconfig.json that `next build` writes in a new application. */
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
