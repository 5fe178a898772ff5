// Applications on next-auth 4 call `require`, also on Node that can't load an ES module this way. So the CommonJS build has
// the engine and the client in it.
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { defineConfig } from "rolldown"

/** What the engine uses and Node 18 lacks. */
const intro = `globalThis.crypto ??= require("node:crypto").webcrypto
Array.prototype.toSorted ?? Object.defineProperty(Array.prototype, "toSorted", { value(order) { return [...this].sort(order) } })
Array.prototype.toReversed ?? Object.defineProperty(Array.prototype, "toReversed", { value() { return [...this].reverse() } })
AbortSignal.any ??= (signals) => {
  const any = new AbortController()
  for (const signal of signals) {
    if (signal.aborted) any.abort(signal.reason)
    else signal.addEventListener("abort", () => any.abort(signal.reason), { once: true })
  }
  return any.signal
}`

const dist = join(import.meta.dirname, "dist")
const entries = globSync(["*.js", "providers/*.js"], { cwd: dist })

/** A declaration for `require`, which leads to those beside it. @param {string} path */
function declare(path) {
  const text = readFileSync(join(dist, path), "utf8")
  const target = join(dist, "cjs", path.replace(/\.d\.ts$/, ".d.cts"))
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text.replaceAll(/(from "\.[^"]*)\.js"/g, '$1.cjs"').replace(/\n\/\/# sourceMappingURL=.*/, ""))
}

export default defineConfig({
  input: Object.fromEntries(entries.map((path) => [path.replace(/\.js$/, ""), join(dist, path)])),
  external: [/^next\//, "react", "nodemailer", "@simplewebauthn/server", /^node:/],
  platform: "node",
  tsconfig: false,
  plugins: [
    {
      name: "declarations",
      writeBundle() {
        for (const path of globSync(["*.d.ts", "providers/*.d.ts"], { cwd: dist })) declare(path)
      },
    },
  ],
  output: {
    dir: join(dist, "cjs"),
    format: "cjs",
    exports: "named",
    // A copy of what stands beside it, so it isn't for reading.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    intro: ({ name }) => (["index", "next", "jwt"].includes(name) ? intro : ""),
    cleanDir: true,
    entryFileNames: "[name].cjs",
    chunkFileNames: "chunks/[name]-[hash].cjs",
  },
})
