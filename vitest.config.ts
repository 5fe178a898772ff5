import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

interface Alias {
  readonly find: RegExp
  readonly replacement: string
}

const packages = fileURLToPath(new URL("packages", import.meta.url))

/**
 * Tests run on sources: every entry of every package leads to the file in `src` that it is built from. An entry without
 * a source re-exports the entry of @latchkey/core with the same name.
 */
function sourcesOf(folder: string): Alias[] {
  const manifest: unknown = JSON.parse(readFileSync(join(packages, folder, "package.json"), "utf8"))
  const { name, exports } = manifest as { name: string; exports: Record<string, string | { default: string }> }
  return Object.entries(exports).flatMap(([subpath, target]) => {
    if (typeof target === "string") return []
    const source = target.default.replace("./dist/", "src/").replace(/\.js$/, ".ts")
    const owner = existsSync(join(packages, folder, source.replace("/*.ts", ""))) ? folder : "core"
    const find = new RegExp(`^${escape(name + subpath.slice(1)).replace("\\*", "(.+)")}$`)
    return [{ find, replacement: join(packages, owner, source).replace("*", "$1") }]
  })
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
}

/** Exact entries before patterns: `./providers` is not `./providers/*`. */
const alias = [
  { find: /^#crypto$/, replacement: join(packages, "core/src/crypto/node.ts") },
  ...readdirSync(packages).flatMap(sourcesOf),
]

export default defineConfig({
  resolve: { alias },
  test: {
    include: [
      "packages/*/src/**/*.test.ts",
      "packages/*/test/**/*.test.ts",
      "examples/*/test/**/*.test.ts",
      "tests/**/*.test.ts",
    ],
    globalSetup: ["tools/commands/generate.mjs", "tests/servers.ts"],
    setupFiles: "tests/no-secrets.ts",
    testTimeout: 20_000,
    hookTimeout: 30_000,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    coverage: { provider: "v8", include: ["packages/*/src/**/*.ts"], exclude: ["**/*.test.ts", "**/*.d.ts"] },
  },
})
