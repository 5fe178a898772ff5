import { existsSync, globSync, readdirSync, readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join, matchesGlob } from "node:path"
import { fileURLToPath } from "node:url"
import { configDefaults, defineConfig } from "vitest/config"
import { reopenHoles } from "./packages/core/test/adversary/holes/reopen.js"

interface Alias {
  readonly find: RegExp
  readonly replacement: string
}

const root = fileURLToPath(new URL(".", import.meta.url))
const packages = join(root, "packages")

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
  {
    find: /^#passkey-library$/,
    replacement: join(packages, "core/src/provider-kit/passkey-library/imported.ts"),
  },
  { find: /^#seam$/, replacement: join(packages, "core/src/module-kit/seam/imported.ts") },
  { find: /^#api-key-records$/, replacement: join(packages, "api-keys/src/records.ts") },
  { find: /^#api-keys$/, replacement: join(packages, "api-keys/src/parts.ts") },
  { find: /^#logout-records$/, replacement: join(packages, "logout/src/records.ts") },
  { find: /^#logout$/, replacement: join(packages, "logout/src/parts.ts") },
  { find: /^#mfa-records$/, replacement: join(packages, "mfa/src/records.ts") },
  { find: /^#mfa$/, replacement: join(packages, "mfa/src/parts.ts") },
  { find: /^#phone-records$/, replacement: join(packages, "phone/src/records.ts") },
  { find: /^#phone$/, replacement: join(packages, "phone/src/parts.ts") },
  { find: /^#anonymous-records$/, replacement: join(packages, "anonymous/src/records.ts") },
  { find: /^#anonymous-labels$/, replacement: join(packages, "anonymous/src/labels.ts") },
  { find: /^#anonymous$/, replacement: join(packages, "anonymous/src/parts.ts") },
  { find: /^#device-bound$/, replacement: join(packages, "device-bound/src/parts.ts") },
  { find: /^#bearer-records$/, replacement: join(packages, "bearer/src/records.ts") },
  { find: /^#bearer$/, replacement: join(packages, "bearer/src/parts.ts") },
  { find: /^#audit$/, replacement: join(packages, "audit/src/parts.ts") },
  { find: /^#telemetry$/, replacement: join(packages, "audit/src/telemetry.ts") },
  { find: /^#languages$/, replacement: join(packages, "core/src/i18n/loaders/all.ts") },
  { find: /^#unknown-options$/, replacement: join(packages, "core/src/config/check/unknown-options/find.ts") },
  { find: /^#records$/, replacement: join(packages, "password/src/records.ts") },
  { find: /^#password$/, replacement: join(packages, "password/src/parts.ts") },
  { find: /^#engine$/, replacement: join(packages, "next/src/engine/node.ts") },
  ...readdirSync(packages).flatMap(sourcesOf),
]

/** What the tests of a project need besides the sources; each is a file in tests/setup. */
type Need = "build" | "chromium" | "glewlwyd" | "mariadb" | "postgres" | "redis" | "redis-cluster"

interface Project {
  readonly name: string
  readonly include: readonly string[]
  readonly exclude?: readonly string[]
  readonly needs?: readonly Need[]
  /** Loads each module once per worker instead of once per file, which is most of the time of small files. */
  readonly sharesModules?: boolean
  readonly env?: Readonly<Record<string, string>>
  /** Files that `npm test -- --part=1/20` divides into parts: the others run in each part. */
  readonly divided?: (file: string) => boolean
}

/** Too heavy for `npm test`: `npm run test:all` runs them. */
const long = "**/*.long.test.ts"

/** Property tests, which `long` runs more often and with another seed. */
const random = [
  "packages/core/test/adversary/*.test.ts",
  "packages/core/test/fuzz/!(time).test.ts",
  "tests/crash-safety/histories.test.ts",
  "tests/interop/differential/differential.test.ts",
  "tests/interop/differential/calls/calls.test.ts",
  "tests/interop/next-auth-4/differential.test.ts",
]

const special: readonly Project[] = [
  { name: "core", include: ["packages/core/**/*.test.ts"], sharesModules: true },
  {
    name: "servers",
    include: [
      "packages/{sql,rate-limit,redis,drizzle,prisma,unstorage,dynamodb,mongodb}/**/*.test.ts",
      "tests/{adapters,crash-safety,interop,relying-party}/!(differential|next-auth-4)/**/*.test.ts",
      "tests/{adapters,crash-safety,interop,relying-party}/*.test.ts",
    ],
    needs: ["postgres", "mariadb", "redis", "redis-cluster", "glewlwyd"],
    // Stores beside SQL, D1 in workerd, and processes that die: a suite of half a minute each.
    divided: (file) => /[/-]d1\.test|\/(?:drizzle|prisma|unstorage|dynamodb|mongodb|crash-safety|layouts)\//.test(file),
  },
  { name: "differential", include: ["tests/interop/{differential,next-auth-4}/**/*.test.ts"] },
  {
    name: "built",
    include: [
      "packages/cli/test/**/*.test.ts",
      "packages/next/test/{declarations,examples}.test.ts",
      "tests/packaging/*.test.ts",
    ],
    needs: ["build", "postgres"],
    // Each starts the command dozens of times, or installs packages.
    divided: (file) => /resolution|examples|\/cli\/test\/(?!add|secret|init)/.test(file),
  },
  {
    name: "browser",
    include: ["packages/{react,solid}/test/**/*.test.ts", "tests/{browser,pages}/**/*.test.ts"],
    needs: ["chromium", "postgres"],
  },
  {
    name: "frameworks",
    include: ["tests/frameworks/*.test.ts"],
    needs: ["build", "chromium"],
    divided: (file) => !file.endsWith("/matrix.test.ts"),
  },
  {
    name: "apps",
    include: ["tests/{express,next,qwik,solid-start,sveltekit}/**/*.test.ts", "examples/*/test/**/*.test.ts"],
    needs: ["build", "chromium", "postgres", "mariadb", "redis"],
    // These two have tests of the attack matrix, which is compared only if all of them ran.
    divided: (file) => !/next-16|qwik-1/.test(file),
  },
]

const projects: readonly Project[] = [
  ...special.map((project) => ({ ...project, exclude: [long] })),
  {
    name: "packages",
    include: ["packages/**/*.test.ts", "tests/**/*.test.ts"],
    exclude: [long, ...special.flatMap(({ include }) => include)],
    sharesModules: true,
  },
  {
    name: "long",
    include: [long, ...random],
    needs: ["build", "chromium", "postgres", "mariadb", "redis", "redis-cluster"],
    divided: () => true,
    env: {
      ADVERSARY_RUNS: process.env["ADVERSARY_RUNS"] ?? "4000",
      FUZZ_RUNS: process.env["FUZZ_RUNS"] ?? "5000",
      FUZZ_SEED: process.env["FUZZ_SEED"] ?? "20262",
    },
  },
]

/** Suites of frameworks that `npm test -- --frameworks-changed-since=main` leaves out. */
const unchanged = (process.env["UNCHANGED_SUITES"] ?? "").split(",").filter((path) => path !== "")

/** `npm test -- --part=2/20` runs the second of twenty parts of the suites that are `divided`. */
const [part = 1, parts = 1] = (process.env["TEST_PART"] ?? "1/1").split("/").map(Number)

function filesOf({ include, exclude = [], divided }: Project): string[] {
  if (parts === 1 || divided === undefined) return [...include]
  const found = globSync(include, { cwd: root, exclude: (path) => path.endsWith("node_modules") })
  const files = found.filter((file) => !exclude.some((pattern) => matchesGlob(file, pattern))).toSorted()
  const isMine = new Set(files.filter(divided).filter((_, index) => index % parts === part - 1))
  return files.filter((file) => !divided(file) || isMine.has(file))
}

export default defineConfig({
  resolve: { alias },
  plugins: [reopenHoles()],
  test: {
    projects: projects.map((project) => ({
      extends: true,
      test: {
        name: project.name,
        include: filesOf(project),
        exclude: [...configDefaults.exclude, ...(project.exclude ?? []), ...unchanged],
        globalSetup: ["tools/commands/generate.mjs", ...(project.needs ?? []).map((need) => `tests/setup/${need}.ts`)],
        env: project.env ?? {},
        isolate: project.sharesModules !== true,
        // Vite finds `next/server`, which Node.js doesn't, because `next` has no `exports`. And only inlined modules can be
        // loaded twice.
        server: { deps: { inline: [/\/next-auth\//, /\/@auth\/(?:core|express)\//] } },
      },
    })),
    reporters: ["default", "./tools/reporter.mjs"],
    setupFiles: ["tests/no-secrets.ts", "tests/fresh-process.ts"],
    // Tests wait for browsers, servers and builds, so two run at once even on two cores.
    maxWorkers: Math.max(2, Math.floor(availableParallelism() / 2)),
    // Limits that a busy machine doesn't reach: a test that takes this long hangs.
    testTimeout: 90_000,
    hookTimeout: 180_000,
    teardownTimeout: 120_000,
    expect: { poll: { timeout: 30_000, interval: 10 } },
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    coverage: { provider: "v8", include: ["packages/*/src/**/*.ts"], exclude: ["**/*.test.ts", "**/*.d.ts"] },
  },
})
