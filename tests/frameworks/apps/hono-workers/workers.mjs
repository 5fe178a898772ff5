import { appendFileSync, existsSync } from "node:fs"
import { Miniflare, Response } from "miniflare"

const { HOST, PORT, CALLS_FILE, FAULT_FILE, ...bindings } = process.env

const miniflare = new Miniflare({
  host: HOST,
  port: Number(PORT),
  // With a list, Miniflare doesn't look for other modules, and so accepts an `import()` of a file that is only known later.
  modules: [{ type: "ESModule", path: "dist/worker.js" }],
  compatibilityDate: "2026-07-01",
  compatibilityFlags: ["nodejs_compat"],
  bindings,
  d1Databases: ["DB"],
  serviceBindings: {
    /** Writes the name of a called method to a file, and fails while another file exists. */
    SUITE(request) {
      appendFileSync(CALLS_FILE, `${new URL(request.url).pathname.slice(1)}\n`)
      return new Response(null, { status: existsSync(FAULT_FILE) ? 503 : 204 })
    },
  },
})
await miniflare.ready
