// Compares `auth` with next-auth 5, in a proxy and in a server component of a production build: `node bench/next/run.mjs`.
// Both run the same application, in which "next-auth" resolves to one or the other. Run `npm run build` first.
import { execFileSync, spawn } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, "..", "..")
const installed = (major) => join(root, "tests", "next", `with-${major}`, "node_modules")
const engines = /** @type {const} */ (["latchkey", "next-auth"])
const work = mkdtempSync(join(tmpdir(), "bench-next-"))
const env = {
  ...process.env,
  NEXT_TELEMETRY_DISABLED: "1",
  AUTH_TRUST_HOST: "true",
  AUTH_SECRET: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fG",
}

/** A folder with the dependencies for this major of Next.js, and with the engine under the name of next-auth. */
function applicationOf(engine, major, name = `${engine}-${major}`) {
  const folder = join(work, name)
  const modules = join(folder, "node_modules")
  mkdirSync(modules, { recursive: true })
  for (const name of readdirSync(installed(major))) {
    if (name !== "next-auth" || engine === "next-auth") symlinkSync(join(installed(major), name), join(modules, name))
  }
  if (engine === "latchkey") symlinkSync(join(root, "packages", "next"), join(modules, "next-auth"))
  for (const name of ["auth.ts", "app", "proxy.ts"]) cpSync(join(here, name), join(folder, name), { recursive: true })
  writeFileSync(join(folder, "package.json"), '{ "name": "timed", "private": true, "type": "module" }')
  const roots = major >= 16 ? ', turbopack: { root: "/" }' : ", eslint: { ignoreDuringBuilds: true }"
  writeFileSync(join(folder, "next.config.mjs"), `export default { typescript: { ignoreBuildErrors: true }${roots} }\n`)
  return folder
}

function build(folder) {
  execFileSync(join(folder, "node_modules", ".bin", "next"), ["build"], { cwd: folder, env, stdio: "pipe" })
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1")
  await new Promise((resolve) => server.once("listening", resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function start(folder) {
  const port = await freePort()
  const child = spawn(join(folder, "node_modules", ".bin", "next"), ["start", "-p", String(port)], {
    cwd: folder,
    env,
    stdio: "ignore",
    detached: true,
  })
  const url = `http://localhost:${port}`
  for (let tries = 0; ; tries++) {
    if ((await fetch(`${url}/api/auth/session`).catch(() => undefined))?.ok) break
    if (tries > 100) throw new Error(`The application in ${folder} doesn't answer`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { url, cookie: await signIn(url), end: () => child.pid !== undefined && process.kill(-child.pid) }
}

const pairs = (response) => response.headers.getSetCookie().map((line) => line.split(";", 1)[0])

async function signIn(url) {
  const csrf = await fetch(`${url}/api/auth/csrf`)
  const { csrfToken } = await csrf.json()
  const signed = await fetch(`${url}/api/auth/callback/credentials`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie: pairs(csrf).join("; ") },
    body: new URLSearchParams({ csrfToken, name: "ada" }),
  })
  return pairs(signed)
    .filter((pair) => pair.includes("session-token"))
    .join("; ")
}

/** Milliseconds that `auth` took, measured by the application. */
const scenarios = {
  "`auth` as the proxy (Node)": async ({ url, cookie }) => {
    const response = await fetch(`${url}/timed`, { headers: { cookie } })
    await response.text()
    return Number(response.headers.get("x-time"))
  },
  "`auth()` in a server component": async ({ url, cookie }) => {
    const [, time] =
      /ada in ([\d.]+) ms/.exec(await (await fetch(`${url}/rendered`, { headers: { cookie } })).text()) ?? []
    return Number(time)
  },
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

async function timings() {
  const sites = {}
  try {
    for (const engine of engines) {
      const folder = applicationOf(engine, 16)
      build(folder)
      sites[engine] = await start(folder)
    }
    const rows = []
    for (const [name, ask] of Object.entries(scenarios)) {
      const times = { latchkey: [], "next-auth": [] }
      for (let turn = 0; turn < 600; turn++) {
        for (const engine of turn % 2 === 0 ? engines : engines.toReversed()) {
          const time = await ask(sites[engine])
          if (!(time > 0)) throw new Error(`${engine} reported no time for ${name}. The sign-in may have failed.`)
          if (turn >= 200) times[engine].push(time)
        }
      }
      const [ours, theirs] = engines.map((engine) => median(times[engine]) * 1000)
      rows.push(`| ${name} | ${ours.toFixed(0)} µs | ${theirs.toFixed(0)} µs | ${(theirs / ours).toFixed(1)}× |`)
    }
    return rows
  } finally {
    for (const site of Object.values(sites)) site.end()
  }
}

/** Bytes of the middleware bundle that webpack builds for the edge, after gzip -9. */
function middlewareSizes() {
  const sizeOf = (folder) =>
    gzipSync(readFileSync(join(folder, ".next", "server", "middleware.js")), { level: 9 }).length
  const sizes = engines.map((engine) => {
    const folder = applicationOf(engine, 15)
    writeFileSync(join(folder, "middleware.ts"), 'export { auth as middleware } from "./auth"\n')
    rmSync(join(folder, "proxy.ts"))
    build(folder)
    return sizeOf(folder)
  })
  const folder = applicationOf("next-auth", 15, "empty")
  rmSync(join(folder, "proxy.ts"))
  writeFileSync(
    join(folder, "middleware.ts"),
    'import { NextResponse } from "next/server"\nexport const middleware = () => NextResponse.next()\n',
  )
  build(folder)
  return { ours: sizes[0], theirs: sizes[1], empty: sizeOf(folder) }
}

const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`

async function clientSizes() {
  const { build: bundle } = await import("esbuild")
  const sizeOf = async (folder, contents) => {
    const { outputFiles } = await bundle({
      stdin: { contents, resolveDir: folder, sourcefile: "entry.mjs" },
      bundle: true,
      minify: true,
      format: "esm",
      target: "es2022",
      platform: "browser",
      external: ["react", "react/jsx-runtime", "next", "next/*"],
      define: { "process.env.NODE_ENV": '"production"' },
      write: false,
      logLevel: "error",
    })
    return gzipSync(outputFiles[0].contents, { level: 9 }).length
  }
  const contents = 'export * from "next-auth/react"'
  return Promise.all(engines.map((engine) => sizeOf(join(work, `${engine}-16`), contents)))
}

try {
  if (!existsSync(installed(16))) throw new Error("The workspace isn't installed. Run `npm run build` first.")
  const rows = await timings()
  const { ours, theirs, empty } = middlewareSizes()
  const [client, theirClient] = await clientSizes()
  console.log(`| Next.js | Latchkey | next-auth 5 beta 32 | |\n| --- | ---: | ---: | ---: |`)
  for (const row of rows) console.log(row)
  console.log(`| middleware bundle, edge, Next.js 15 | ${kB(ours)} | ${kB(theirs)} | ${(ours / theirs).toFixed(2)} |`)
  console.log(
    `| the same minus an empty middleware (${kB(empty)}) | ${kB(ours - empty)} | ${kB(theirs - empty)} | ${((ours - empty) / (theirs - empty)).toFixed(2)} |`,
  )
  console.log(
    `| \`next-auth/react\` without React | ${kB(client)} | ${kB(theirClient)} | ${(client / theirClient).toFixed(2)} |`,
  )
} finally {
  rmSync(work, { recursive: true, force: true })
}
