import { execFileSync } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { root } from "./compiler.js"

/** Module factories with an interface of their own, as packages of modules export them. */
function factories(count: number): string {
  const indexes = Array.from({ length: count }, (_, index) => index)
  return indexes
    .map(
      (index) => `
        export interface Functions${index} { check(userId: string): Promise<boolean>; readonly count${index}: () => Promise<number> }
        export const module${index} = () =>
          defineModule<"module-${index}", Functions${index}>({ id: "module-${index}", members: ["check"] })`,
    )
    .join("\n")
}

/** The type instantiations of a program whose configuration has this many modules. All programs declare as many. */
async function instantiations(initializer: string, modules: number): Promise<number> {
  // Inside of the workspace, so that it finds the packages.
  const folder = await mkdtemp(join(root, "tests", "packaging", "node_modules", ".types-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const called = Array.from({ length: modules }, (_, index) => `module${index}()`)
  const used = Array.from({ length: modules }, (_, index) => `void auth["module-${index}"].check("1")`)
  const program = `
    import { defineModule } from "${root}/packages/core/dist/module.js"
    ${initializer}
    ${factories(30)}
    export const auth = initialize({
      providers: [],
      callbacks: { session: ({ session }) => ({ ...session, role: "admin" as const }) },
      modules: [${called.join(", ")}],
    })
    ${used.join("\n")}`
  await writeFile(join(folder, "program.ts"), program)
  const options = ["--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2023", "--types", "node"]
  const compile = ["exec", "tsc", join(folder, "program.ts"), "--ignoreConfig", "--noEmit", ...options]
  const output = execFileSync("pnpm", [...compile, "--extendedDiagnostics"], { cwd: root, encoding: "utf8" })
  return Number(/Instantiations:\s+(\d+)/.exec(output)?.[1])
}

test.each([
  ["NextAuth", `import initialize from "${root}/packages/next/dist/index.js"`],
  ["createAuth of Express", `import { createAuth as initialize } from "${root}/packages/express/dist/index.js"`],
])("30 modules of %s cost at most twice the type instantiations of none", async (_, initializer) => {
  const none = await instantiations(initializer, 0)
  const thirty = await instantiations(initializer, 30)
  expect(none).toBeGreaterThan(0)
  expect(thirty).toBeLessThanOrEqual(2 * none)
})
