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

/** Cookies as a browser keeps them, for one site. */
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
  /** Pages that a person would have seen on the way. */
  readonly pages: string[]
}

/** A whole sign-in: the engine on one side, the running program on the other. */
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
      form = new URLSearchParams({ person: click })
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

  test("signs in whom login_hint names, by id or by address, without a page", async () => {
    const ada = await signIn(running, { hint: "ada" })
    expect(ada).toMatchObject({
      pages: [],
      claims: { sub: "ada", name: "Ada Lovelace", email: "ada@example.com", email_verified: true },
    })
    const grace = await signIn(running, { hint: "grace@example.com" })
    expect(grace).toMatchObject({ pages: [], claims: { sub: "grace" } })
  })

  test("lists people on one page, where one click signs in", async () => {
    const { pages, claims } = await signIn(running, { click: "alan" })
    expect(pages).toHaveLength(1)
    for (const name of ["Ada Lovelace", "Grace Hopper", "Alan Turing"]) expect(pages[0]).toContain(name)
    expect(claims).toMatchObject({ sub: "alan", email_verified: false })
  })

  test("says on the page that nobody has the name that was asked for, and escapes it", async () => {
    const { pages, claims } = await signIn(running, { hint: "<b>nobody" })
    expect(pages[0]).toContain("&lt;b&gt;nobody")
    expect(claims).toBeUndefined()
  })

  test("lets a person say no", async () => {
    expect(await signIn(running, { click: "" })).toMatchObject({ claims: undefined })
  })

  test("sends nobody to another site, unless it is named", async () => {
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
    expect((await fetch(url, { redirect: "manual" })).status).toBe(400)
    const other = await idp(".", ["--redirect", "https://evil.example/cb"])
    onTestFinished(async () => void (await end(other)))
    expect((await fetch(`${other.issuer}/auth${url.search}`, { redirect: "manual" })).status).toBe(303)
  })
})

test("people come from a file, with claims of their own, and a client can be named", async () => {
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
  ["not there", undefined, /people\.json is not there/],
  ["not JSON", "[", /people\.json is not JSON/],
  ["empty", "[]", /has no people in it/],
  ["without an address", '[{ "id": "a", "name": "A" }]', /Person 1 in .* has no id, name and email/],
  ["twice the same", '[{"id":"a","name":"A","email":"a@b.c"},{"id":"a","name":"B","email":"b@b.c"}]', /the id "a"/],
])("a file with people that is %s ends it with 2", async (_, text, words) => {
  const folder = await application(text === undefined ? {} : { "people.json": text })
  const { code, stderr } = await latchkey(folder, ["idp", "--port", "0", "--people", "people.json"])
  expect(code).toBe(2)
  expect(stderr).toMatch(words)
})

test("a port that is taken is said clearly", async () => {
  const other = createHttpServer().listen(0, "127.0.0.1")
  await once(other, "listening")
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo
  const { code, stderr } = await latchkey(".", ["idp", "--port", String(port)])
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(`Port ${port} is taken: .*--port`) as string,
  })
})

test("Ctrl-C ends it with 0, and what it prints can be pasted", async () => {
  const { PATH = "", HOME = "" } = process.env
  const child = spawn(process.execPath, [program, "idp", "--port", "0"], { env: { PATH, HOME } })
  let words = ""
  child.stdout.on("data", (part) => (words += String(part)))
  while (!words.includes("login_hint")) await once(child.stdout, "data")
  const [, issuer = ""] = /AUTH_DEV_ISSUER="(.*)"/.exec(words) ?? []
  expect(words).toContain('AUTH_DEV_ID="latchkey"')
  expect(words).toContain('AUTH_DEV_SECRET="not-a-secret"')
  expect(await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()).toMatchObject({ issuer })
  const closed = once(child, "close")
  child.kill("SIGINT")
  expect(await closed).toEqual([0, null])
})
