import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"

const folder = fileURLToPath(new URL(".", import.meta.url))
const gzipped = (file) => gzipSync(file.contents, { level: 9 }).length

/** The chunks that are loaded before the entry point runs. */
function initialChunks(outputs, entry) {
  const seen = new Set()
  const visit = (path) => {
    if (seen.has(path) || outputs[path] === undefined) return
    seen.add(path)
    for (const { path: next, kind } of outputs[path].imports) if (kind === "import-statement") visit(next)
  }
  visit(entry)
  return seen
}

/**
 * Bytes after gzip -9 of a minified bundle for a worker or an edge platform: web conditions, without `node:` modules.
 * @param {string} contents source of the entry point
 * @returns {Promise<{ initial: number, total: number }>} `total` includes every chunk that is loaded on demand
 */
export async function sizeOf(contents) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: folder, sourcefile: "entry.mjs" },
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: "es2022",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["workerd", "browser"],
    external: ["node:*", "nodemailer", "@simplewebauthn/server"],
    define: { "process.env.NODE_ENV": '"production"' },
    absWorkingDir: folder,
    outdir: "out",
    entryNames: "entry",
    write: false,
    metafile: true,
    legalComments: "none",
    logLevel: "error",
  })
  // A chunk that is loaded on demand has an `entryPoint` too.
  const entry = Object.keys(metafile.outputs).find((path) => path.endsWith("/entry.js"))
  const first = initialChunks(metafile.outputs, entry)
  const sum = (files) => files.reduce((bytes, file) => bytes + gzipped(file), 0)
  const isFirst = (file) => [...first].some((path) => file.path.endsWith(`/${path}`))
  return { initial: sum(outputFiles.filter(isFirst)), total: sum(outputFiles) }
}
