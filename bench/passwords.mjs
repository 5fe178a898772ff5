import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { argon2, randomBytes, scrypt } from "node:crypto"
import { availableParallelism } from "node:os"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { parseArgs } from "node:util"
import { get, Jar, postForm } from "./browser.mjs"
import { basePath, origin, secret } from "./fixtures.mjs"
import { median } from "./measure.mjs"

/*
 * What passwords cost: how many are checked in a second, how much memory 1,000 sign-ins at once take, how long the event loop
 * stands still meanwhile, and whether a wrong password takes another time if the user exists.
 *
 *   node bench/passwords.mjs           # prints the tables
 *   node bench/passwords.mjs --write   # also writes passwords.md
 */
const { values: options } = parseArgs({ options: { write: { type: "boolean" } } })
const built = (name) =>
  import(new URL(`../packages/${name}/dist/${name === "adapter-kit" ? "memory" : "index"}.js`, import.meta.url).href)
const [{ Auth }, { password }, { memoryAdapter }, { visit }] = await Promise.all(
  ["core", "password", "adapter-kit", "testing"].map(built),
)

const attempts = 1000
const right = "tuba gravel oyster ninety"
const emailOf = (user) => `user-${user}@users.test`

/** A site with 20 users, who signed up as users do. */
async function siteWith(hashing) {
  const links = new Map()
  const mail = {
    id: "email",
    name: "Email",
    type: "email",
    sendVerificationRequest() {},
    sendAccountEmail: ({ identifier, letter }) => void links.set(identifier, letter.link.url),
  }
  const config = {
    secret,
    basePath,
    trustHost: true,
    rateLimit: false,
    adapter: memoryAdapter(),
    providers: [mail],
    modules: [password({ breached: false, hashing })],
    logger: { error() {}, warn() {} },
  }
  for (let user = 0; user < 20; user++) {
    const browser = await visit(config)
    await browser.get(`${basePath}/password/sign-up`)
    await browser.submitForm("password/sign-up", { email: emailOf(user), password: right })
    await browser.get(links.get(emailOf(user)))
    await browser.submitForm("callback/password")
  }
  return visitor(config)
}

/** The cookies and the token of a visitor. All attempts share them, because only the password counts here. */
async function visitor(config) {
  const jar = new Jar()
  const { csrfToken } = await jar.take(await Auth(get(`${basePath}/csrf`), config)).json()
  return { config, cookie: jar.header, csrfToken }
}

/** Whether it signed in, or why not. */
async function signIn({ config, cookie, csrfToken }, email, typed) {
  const fields = { email, password: typed, csrfToken }
  const response = await Auth(postForm(`${basePath}/callback/password`, fields, cookie), config)
  if (response.headers.getSetCookie().some((line) => line.includes("session-token="))) return "signed in"
  const { searchParams } = new URL(response.headers.get("location") ?? "", origin)
  return searchParams.get("code") ?? searchParams.get("error") ?? String(response.status)
}

/** The same number of hashes by `node:crypto` alone, as many at once. */
async function bareHashes(count, parallel) {
  const one = () =>
    new Promise((resolve, reject) => {
      const done = (error) => (error === null ? resolve() : reject(error))
      const salt = randomBytes(16)
      if (argon2 === undefined) scrypt(right, salt, 32, { N: 2 ** 15, r: 8, p: 3, maxmem: 2 ** 26 }, done)
      else
        argon2(
          "argon2id",
          { message: right, nonce: salt, parallelism: 1, tagLength: 32, memory: 19_456, passes: 2 },
          done,
        )
    })
  const lane = async (share) => {
    for (let hash = 0; hash < share; hash++) await one()
  }
  const since = performance.now()
  await Promise.all(Array.from({ length: parallel }, () => lane(count / parallel)))
  return (count / (performance.now() - since)) * 1000
}

/** Sends all at once. */
async function burst(hashing, requests) {
  const site = await siteWith(hashing)
  assert.equal(await signIn(site, emailOf(0), right), "signed in")
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let peak = before
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 10)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const since = performance.now()
  const answers = await Promise.all(
    Array.from({ length: requests }, (_, request) => signIn(site, emailOf(request % 20), right)),
  )
  const seconds = (performance.now() - since) / 1000
  delay.disable()
  clearInterval(watch)
  const signedIn = answers.filter((answer) => answer === "signed in").length
  return {
    signedIn,
    refused: requests - signedIn,
    perSecond: signedIn / seconds,
    memory: (peak - before) / 2 ** 20,
    stall: delay.max / 1e6,
  }
}

/** Times of two kinds of attempts in random order, in milliseconds. */
async function timesOf(attempts, first, second) {
  const times = [[], []]
  for (let attempt = 0; attempt < attempts; attempt++) {
    const which = Math.random() < 0.5 ? 0 : 1
    const since = performance.now()
    await [first, second][which]()
    times[which].push(performance.now() - since)
  }
  return times
}

/** Welch's t over the faster nine tenths, because what interrupts a process says nothing about it. */
function welch(times) {
  const limit = times.flat().toSorted((a, b) => a - b)[Math.floor(times.flat().length * 0.9)]
  const [a, b] = times.map((each) => moments(each.filter((time) => time <= limit)))
  return (a.mean - b.mean) / Math.sqrt(a.variance / a.count + b.variance / b.count)
}

function moments(times) {
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length
  const variance = times.reduce((sum, time) => sum + (time - mean) ** 2, 0) / (times.length - 1)
  return { count: times.length, mean, variance }
}

async function comparisons() {
  const site = await siteWith({})
  const wrong = (email) => async () => assert.equal(await signIn(site, email, "not the password at all"), "credentials")
  const slower = async () => {
    await wrong("none@users.test")()
    for (const end = performance.now() + 1; performance.now() < end; );
  }
  const rows = [
    { name: "a user, and no user", first: wrong(emailOf(1)), second: wrong("none@users.test") },
    { name: "one user, and another", first: wrong(emailOf(1)), second: wrong(emailOf(2)) },
    { name: "a user, and no user with 1 ms more (planted)", first: wrong(emailOf(1)), second: slower },
  ]
  await timesOf(100, wrong(emailOf(1)), wrong("none@users.test"))
  const found = []
  for (const { name, first, second } of rows) {
    const times = await timesOf(attempts, first, second)
    found.push({ name, medians: times.map(median), t: welch(times) })
  }
  return found
}

const fixed = (number, digits = 0) => number.toFixed(digits)
const bare = await bareHashes(400, 4)
const all = await burst({ parallel: 4, waiting: 1000 }, 1000)
const usual = await burst({}, 1000)
const compared = await comparisons()

const report = `# What passwords cost

Written by \`node --expose-gc bench/passwords.mjs --write\` on a machine with ${availableParallelism()} cores, Node ${process.versions.node}, with ${argon2 === undefined ? "scrypt" : "Argon2id"}.

| 1,000 sign-ins at once | signed in | refused for now | per second | memory more | longest stall |
| --- | ---: | ---: | ---: | ---: | ---: |
| all wait (\`hashing: { waiting: 1000 }\`) | ${all.signedIn} | ${all.refused} | ${fixed(all.perSecond, 1)} | ${fixed(all.memory)} MiB | ${fixed(all.stall, 1)} ms |
| by default, 100 wait | ${usual.signedIn} | ${usual.refused} | ${fixed(usual.perSecond, 1)} | ${fixed(usual.memory)} MiB | ${fixed(usual.stall, 1)} ms |

\`node:crypto\` alone computes ${fixed(bare, 1)} such hashes a second.

A wrong password, ${attempts.toLocaleString("en")} attempts in random order. Times differ if |t| is over 4.5, as in the planted row.

| Attempts for | median | t |
| --- | ---: | ---: |
${compared.map(({ name, medians, t }) => `| ${name} | ${medians.map((time) => time.toFixed(2)).join(" and ")} ms | ${t.toFixed(1)} |`).join("\n")}
`
process.stdout.write(report)
if (options.write) writeFileSync(new URL("passwords.md", import.meta.url), report)
