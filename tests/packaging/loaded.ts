import { execFile } from "node:child_process"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { root } from "./compiler.js"

/** What a program printed, and the files of core that its process loaded. @param folder of the package in `packages` that it runs in */
export async function loadedBy(
  program: string,
  folder: string,
): Promise<{ readonly loaded: readonly string[]; readonly printed: string }> {
  const coverage = await mkdtemp(join(tmpdir(), "loaded-"))
  try {
    const options = { cwd: join(root, "packages", folder), env: { ...process.env, NODE_V8_COVERAGE: coverage } }
    const { stdout } = await promisify(execFile)("node", ["--input-type=module", "--eval", program], options)
    const reports = await Promise.all((await readdir(coverage)).map((name) => readFile(join(coverage, name), "utf8")))
    const scripts: { readonly url: string }[] = reports.flatMap((report) => JSON.parse(report).result)
    return {
      loaded: scripts.map(({ url }) => url).filter((url) => url.includes("/core/dist/")),
      printed: stdout.trim(),
    }
  } finally {
    await rm(coverage, { recursive: true })
  }
}
