import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import type { ProvidedContext } from "vitest"
import type { TestProject } from "vitest/node"

const run = fileURLToPath(new URL("../../tools/run.mjs", import.meta.url))

/** A global setup of vitest: the first project whose tests use `dist` builds it for all of them. */
export default async function build({ vitest }: TestProject): Promise<void> {
  const root = vitest.getRootProject()
  const context: Partial<ProvidedContext> = root.getProvidedContext()
  if (context.build === true) return
  const child = spawn(process.execPath, [run, "build"], { stdio: ["ignore", "inherit", "inherit"] })
  const [code]: unknown[] = await once(child, "close")
  if (code !== 0) throw new Error("The build failed: see its messages above")
  root.provide("build", true)
}
