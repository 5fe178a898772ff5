import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { root } from "./compiler.js"

/** Signs in many times, until the code is fast. Prints the processor time of the cheapest round, in microseconds. */
const program = `
import { Auth } from "@latchkey/core"
import Credentials from "@latchkey/core/providers/credentials"
const nothing = () => undefined
const authorize = ({ name, password }) => (password === "open" ? { id: "1", name } : null)
const config = {
  secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw",
  trustHost: true,
  rateLimit: false,
  logger: { error: nothing, warn: nothing, debug: nothing },
  providers: [Credentials({ credentials: { name: {}, password: {} }, authorize })],
}
const send = (path, init) => Auth(new Request("https://app.test/auth/" + path, init), config)
const csrf = await send("csrf")
const { csrfToken } = await csrf.json()
const cookie = csrf.headers.getSetCookie().map((line) => line.split(";")[0]).join("; ")
const headers = { cookie, "content-type": "application/x-www-form-urlencoded" }
async function round(password) {
  const body = new URLSearchParams({ csrfToken, name: "ada", password }).toString()
  const start = process.cpuUsage()
  for (let count = 0; count < 50; count++) await send("callback/credentials", { method: "POST", body, headers })
  const { user, system } = process.cpuUsage(start)
  return user + system
}
const least = { open: Infinity, "wrong, wrong": Infinity }
for (let count = 0; count < 40; count++)
  for (const password of Object.keys(least)) least[password] = Math.min(least[password], await round(password))
console.log(JSON.stringify(Object.values(least)))
`

test("a refused password costs less than four accepted ones, although it's logged", async () => {
  const options = { cwd: join(root, "packages", "hono") }
  const { stdout } = await promisify(execFile)("node", ["--input-type=module", "--eval", program], options)
  const [accepted = 0, refused = Number.POSITIVE_INFINITY]: number[] = JSON.parse(stdout)
  expect(refused).toBeLessThan(4 * accepted)
})
