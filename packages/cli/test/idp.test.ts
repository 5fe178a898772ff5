import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createServer as createHttpServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createServer } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { application, latchkey, program } from "./latchkey.js"

interface Idp {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly child: ChildProcess
}

async function idp(cwd: string, args: readonly string[] = []): Promise<Idp> {
  const { PATH = "", HOME = "" } = process.env
  const child = spawn(process.execPath, [program, "idp", "--port", "0", "--json", ...args], {
    cwd,
    env: { PATH, HOME },
  })
  const [line] = (await once(child.stdout, "data")) as [Buffer]
  return { ...(JSON.parse(String(line)) as Omit<Idp, "child">), child }
}

async function end({ child }: Idp, signal: "SIGINT" | "SIGTERM" = "SIGTERM"): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode
  const closed = once(child, "close")
  child.kill(signal)
  const [code] = (await closed) as [number | null]
  return code
}

const app = "http://localhost:3000"

function configurationFor({ issuer, clientId, clientSecret }: Idp): AuthConfig {
  return {
    secret: "mZ4QvK1t8xY0cR7bN3sW9eH6jL2pD5gUa+fT1oXiVkE=",
    url: `${app}/auth`,
    security: "strict",
    environment: "development",
    logger: { error: () => undefined },
    providers: [{ id: "dev", name: "Development", type: "oidc", issuer, clientId, clientSecret }],
    callbacks: {
      jwt: ({ token, profile }) => (profile === undefined ? token : { ...token, profile }),
      session: ({ session, token }) => ({ ...session, token }),
    },
  }
}

/** The cookies of one site. */
class Jar {
  private readonly cookies = new Map<string, string>()

  keep(lines: readonly string[]): void {
    for (const line of lines) {
      const [pair = ""] = line.split(";")
      const at = pair.indexOf("=")
      this.cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
  }

  get header(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
  }
}

interface SignedIn {
  readonly claims: Record<string, unknown> | undefined
  /** The pages that the browser showed on the way. */
  readonly pages: string[]
}

/** A whole sign-in between the engine and the running program. */
async function signIn(given: Idp, { hint, click }: { hint?: string; click?: string }): Promise<SignedIn> {
  const server = createServer(configurationFor(given))
  const start = await server.signIn(
    { headers: new Headers(), origin: app },
    "dev",
    { redirectTo: "/" },
    hint === undefined ? {} : { login_hint: hint },
  )
  const [own, theirs] = [new Jar(), new Jar()]
  own.keep(start.cookies.map(({ name, value }) => `${name}=${value}`))
  const pages: string[] = []
  let at = start.to
  let form: URLSearchParams | undefined
  while (!at.startsWith(app)) {
    const answer = await fetch(at, {
      redirect: "manual",
      headers: { cookie: theirs.header },
      ...(form === undefined ? {} : { method: "POST", body: form }),
    })
    theirs.keep(answer.headers.getSetCookie())
    form = undefined
    const location = answer.headers.get("location")
    if (location !== null) at = new URL(location, at).href
    else {
      pages.push(await answer.text())
      if (click === undefined || pages.length > 1) return { claims: undefined, pages }
      form = new URLSearchParams({ user: click })
    }
  }
  const answer = await server.handle(new Request(at, { headers: { cookie: own.header } }))
  own.keep(answer.headers.getSetCookie())
  const { session } = await server.session({ headers: new Headers({ cookie: own.header }), origin: app })
  const { token } = (session ?? {}) as { token?: { profile?: SignedIn["claims"] } }
  return { claims: token?.profile, pages }
}

describe("latchkey idp", () => {
  let running: Idp

  beforeAll(async () => {
    running = await idp(".")
  })

  afterAll(() => end(running))

  test("login_hint signs in by id or email, without a page", async () => {
    const ada = await signIn(running, { hint: "ada" })
    expect(ada).toMatchObject({
      pages: [],
      claims: { sub: "ada", name: "Ada Lovelace", email: "ada@example.com", email_verified: true },
    })
    const grace = await signIn(running, { hint: "grace@example.com" })
    expect(grace).toMatchObject({ pages: [], claims: { sub: "grace" } })
  })

  test("lists the users on one page, where one click signs in", async () => {
    const { pages, claims } = await signIn(running, { click: "alan" })
    expect(pages).toHaveLength(1)
    for (const name of ["Ada Lovelace", "Grace Hopper", "Alan Turing"]) expect(pages[0]).toContain(name)
    expect(claims).toMatchObject({ sub: "alan", email_verified: false })
  })

  test("names an unknown login_hint on the page, escaped", async () => {
    const { pages, claims } = await signIn(running, { hint: "<b>eve" })
    expect(pages[0]).toContain("&lt;b&gt;eve")
    expect(claims).toBeUndefined()
  })

  test("lets the user cancel", async () => {
    expect(await signIn(running, { click: "" })).toMatchObject({ claims: undefined })
  })

  test("refuses a redirect URI on another site until --redirect allows it", async () => {
    const url = new URL(`${running.issuer}/auth`)
    const query = {
      client_id: running.clientId,
      response_type: "code",
      scope: "openid",
      redirect_uri: "https://evil.example/cb",
      code_challenge: "x".repeat(43),
      code_challenge_method: "S256",
    }
    url.search = String(new URLSearchParams(query))
    const refused = await fetch(url, { redirect: "manual" })
    expect(refused.status).toBe(400)
    expect(await refused.text()).toMatch(/https:\/\/evil\.example\/cb.*--redirect https:\/\/evil\.example\/cb/s)
    const other = await idp(".", ["--redirect", "https://evil.example/cb"])
    onTestFinished(async () => void (await end(other)))
    expect((await fetch(`${other.issuer}/auth${url.search}`, { redirect: "manual" })).status).toBe(303)
  })
})

test("reads users with their own claims from a file, and takes the client from options", async () => {
  const people = [
    {
      id: "u1",
      name: "Ünal",
      email: "u@acme.example",
      email_verified: false,
      roles: ["admin"],
      picture: "https://acme.example/u.png",
    },
  ]
  const folder = await application({ "people.json": JSON.stringify(people) })
  const running = await idp(folder, [
    "--people",
    "people.json",
    "--client-id",
    "mine",
    "--client-secret",
    "a-secret-of-mine",
  ])
  onTestFinished(async () => void (await end(running)))
  expect(running).toMatchObject({ clientId: "mine", clientSecret: "a-secret-of-mine" })
  expect((await signIn(running, { hint: "u1" })).claims).toMatchObject({
    sub: "u1",
    name: "Ünal",
    email_verified: false,
    roles: ["admin"],
    picture: "https://acme.example/u.png",
  })
})

test.each([
  ["missing", undefined, /There is no file .*people\.json/],
  ["not JSON", "[", /people\.json isn't JSON/],
  ["empty", "[]", /has no users/],
  ["missing an email", '[{ "id": "a", "name": "A" }]', /User 1 in .* needs an id, a name and an email/],
  ["repeating an id", '[{"id":"a","name":"A","email":"a@b.c"},{"id":"a","name":"B","email":"b@b.c"}]', /the id "a"/],
])("exits with 2 for a file of users that is %s", async (_, text, words) => {
  const folder = await application(text === undefined ? {} : { "people.json": text })
  const { code, stderr } = await latchkey(folder, ["idp", "--port", "0", "--people", "people.json"])
  expect(code).toBe(2)
  expect(stderr).toMatch(words)
})

test("names a port that is in use, and --port", async () => {
  const other = createHttpServer().listen(0, "127.0.0.1")
  await once(other, "listening")
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo
  const { code, stderr } = await latchkey(".", ["idp", "--port", String(port)])
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(`Port ${port} is in use\\. .*--port`) as string,
  })
})

test("a refused redirect URI is printed with the option that allows it", async () => {
  const { PATH = "", HOME = "" } = process.env
  const child = spawn(process.execPath, [program, "idp", "--port", "0"], { env: { PATH, HOME } })
  onTestFinished(() => void child.kill("SIGKILL"))
  let output = ""
  child.stdout.on("data", (part) => (output += String(part)))
  while (!output.includes("login_hint")) await once(child.stdout, "data")
  const [, issuer = ""] = /AUTH_DEV_ISSUER="(.*)"/.exec(output) ?? []
  const redirectUri = encodeURIComponent("https://app.example/auth/callback/dev")
  await fetch(`${issuer}/auth?client_id=latchkey&response_type=code&scope=openid&redirect_uri=${redirectUri}`)
  while (!output.includes("--redirect")) await once(child.stdout, "data")
  expect(output).toContain("--redirect https://app.example/auth/callback/dev")
})

test("Ctrl-C exits with 0, and the printed variables work", async () => {
  const { PATH = "", HOME = "" } = process.env
  const child = spawn(process.execPath, [program, "idp", "--port", "0"], { env: { PATH, HOME } })
  let output = ""
  child.stdout.on("data", (part) => (output += String(part)))
  while (!output.includes("login_hint")) await once(child.stdout, "data")
  const [, issuer = ""] = /AUTH_DEV_ISSUER="(.*)"/.exec(output) ?? []
  expect(output).toContain('AUTH_DEV_ID="latchkey"')
  expect(output).toContain('AUTH_DEV_SECRET="not-a-secret"')
  expect(await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()).toMatchObject({ issuer })
  const closed = once(child, "close")
  child.kill("SIGINT")
  expect(await closed).toEqual([0, null])
})
