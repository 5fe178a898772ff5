// Joins the modules of core into a few files, because each file costs about 0.3 ms at every cold start.
import { globSync, readFileSync } from "node:fs"
import { isAbsolute, join } from "node:path"
import { defineConfig } from "rolldown"

const source = join(import.meta.dirname, "src")

/** @type {{ exports: Record<string, string | { default: string }> }} */
const { exports } = JSON.parse(readFileSync(join(import.meta.dirname, "package.json"), "utf8"))

/** The modules that users import, and those that `#` imports choose between. */
const entries = Object.values(exports)
  .flatMap((target) =>
    typeof target === "string" ? [] : [target.default.replace("./dist/", "").replace(/\.js$/, ".ts")],
  )
  .concat(
    "crypto/{node,web}.ts",
    "provider-kit/passkey-library/{imported,registered}.ts",
    "config/check/unknown-options/{find,skip}.ts",
    "i18n/loaders/{all,none}.ts",
    "module-kit/seam/{imported,refused}.ts",
  )
  .flatMap((pattern) => globSync(pattern, { cwd: source }))
  .filter((path) => !path.endsWith(".test.ts"))

export default defineConfig({
  input: Object.fromEntries(entries.map((path) => [path.replace(/\.ts$/, ""), join(source, path)])),
  external: (id) => !id.startsWith(".") && !isAbsolute(id),
  platform: "neutral",
  treeshake: { moduleSideEffects: (id) => id.endsWith("/src/edge/webauthn.ts") },
  tsconfig: false,
  output: {
    dir: join(import.meta.dirname, "dist"),
    sourcemap: true,
    comments: false,
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name].js",
    codeSplitting: {
      groups: [
        // Reading a token needs the first, reading a session the first two, and every other request all three.
        chunk("token", 5, ["jwt", "errors"]),
        chunk("session", 4, ["session-reader", "env", "provider-kit/define", "provider-kit/refuse-all"]),
        chunk("engine", 3, ["engine/auth"]),
        // Emails need these too, and the providers that send them the second.
        chunk("text", 2, ["i18n/fill", "mail/color"]),
        chunk("escape-html", 2, ["primitives/escape-html"]),
        { name: "html", priority: 1, test: /[\\/]core[\\/]src[\\/]html[\\/]/ },
      ],
    },
  },
})

/** These modules and everything they import, unless a chunk of higher priority has it. @param {string} name @param {number} priority @param {string[]} modules */
function chunk(name, priority, modules) {
  const files = modules.map((module) => join(source, `${module}.ts`))
  return { name, priority, test: (/** @type {string} */ id) => files.includes(id) }
}
