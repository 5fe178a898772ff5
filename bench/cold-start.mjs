import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { headersOf } from "./browser.mjs"
import { basePath, claimsOf, configWith, origin, secret, sessionCookie } from "./fixtures.mjs"
import { median, spreadOf } from "./measure.mjs"

const core = new URL("../packages/core/dist/index.js", import.meta.url).href
const imports = {
  bare: "",
  latchkey: `import { Auth } from ${JSON.stringify(core)}`,
  authCore: `import { Auth } from "@auth/core"`,
}

/** A program that answers one signed-in session read and exits. It imports only the engine. */
function program(peer, cookie) {
  if (peer === "bare") return ""
  const { providers, ...config } = configWith()
  const literal = JSON.stringify({ ...config, providers: providers.filter(({ type }) => type === "oidc") })
  return `${imports[peer]}
    const request = new Request("${origin}${basePath}/session", { headers: ${JSON.stringify(Object.fromEntries(headersOf(cookie)))} })
    const session = await (await Auth(request, ${literal})).json()
    if (session?.user?.name === undefined) process.exit(3)`
}

function runOnce(source) {
  const start = performance.now()
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-"], {
    input: source,
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    encoding: "utf8",
  })
  if (status !== 0) throw new Error(`The first answer wasn't a session:\n${stderr}`)
  return performance.now() - start
}

/**
 * Milliseconds that a process takes for one signed-in session read, from start to exit, minus the time of an empty
 * process. The processes alternate.
 * @param {Record<string, import("./peers/engine.mjs").Engine>} engines
 */
export async function coldStarts(engines, { runs = 15 } = {}) {
  const sources = { bare: "" }
  for (const [peer, engine] of Object.entries(engines)) {
    const token = await engine.encode({ token: claimsOf(400), secret, salt: sessionCookie, maxAge: 3600 })
    sources[peer] = program(peer, `${sessionCookie}=${token}`)
  }
  const times = Object.fromEntries(Object.keys(sources).map((peer) => [peer, []]))
  for (const source of Object.values(sources)) runOnce(source)
  for (let run = 0; run < runs; run++) for (const peer of Object.keys(sources)) times[peer].push(runOnce(sources[peer]))
  const bare = median(times.bare)
  const own = Object.entries(times).map(([peer, each]) => [
    peer,
    { ms: median(each) - (peer === "bare" ? 0 : bare), spread: spreadOf(each) },
  ])
  return Object.fromEntries(own)
}
