import { randomBytes } from "node:crypto"
import { memoryAdapter } from "@latchkey/adapter-kit"
import type { Express } from "express"
import { describe, expect, test } from "vitest"
import { ExpressAuth, type ExpressAuthConfig, getSession, type Session } from "../src/index.js"
import credentials from "@latchkey/express/providers/credentials"
import { attack } from "../../../tests/attack.js"
import { expressOf, majors } from "./majors.js"
import { ask, serve } from "./served.js"
import { visit } from "./visitor.js"
import { forgeVersion4 } from "../../core/test/version4/setup.js"
import { trackSecret } from "../../testing/src/secrets.js"

const secret = randomBytes(48).toString("base64url")
trackSecret("secret of the configuration", secret)

const longParts = [0, 1, 2].map((part) => `authjs.session-token.${part}`)

function config(extra: Partial<ExpressAuthConfig> = {}): ExpressAuthConfig {
  const provider = credentials({
    credentials: { name: {} },
    authorize: ({ name }) => ({ id: String(name), name: String(name) }),
  })
  return Object.freeze({ secret, trustHost: true, providers: [provider], ...extra })
}

describe.each(majors)("getSession in Express %s", (major) => {
  const express = expressOf(major)

  function application(shared: ExpressAuthConfig): Express {
    const app = express().use("/auth", ExpressAuth(shared))
    app.get("/read", async (req, res) => void res.json(await getSession(req, shared)))
    app.get("/roll", async (req, res) => void res.json(await getSession(req, shared, res.cookie("theme", "dark"))))
    return app
  }

  /** Signs in, then requests a page outside the mount path with the same cookies. */
  async function signedIn(shared: ExpressAuthConfig, headers: Record<string, string> = {}, app = application(shared)) {
    const origin = await serve(app)
    const visitor = visit(`${origin}/auth`, headers)
    await visitor.signIn("ada")
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    return (path: string) => ask(origin + path, { headers: { ...headers, cookie } })
  }

  test("returns null without a session", async () => {
    expect((await ask(`${await serve(application(config()))}/read`)).body).toBe("null")
  })

  test("returns the same session as the session route", async () => {
    const read = await signedIn(config())
    expect(JSON.parse((await read("/read")).body)).toEqual({ user: { name: "ada" }, expires: expect.any(String) })
  })

  test.each([
    ["", "ada", ["theme", "authjs.session-token"]],
    [" that is too long for a second one", "a".repeat(6000), ["theme", ...longParts]],
  ])("continues a session of next-auth 4%s, and the next request works", async (_case, name, expected) => {
    const origin = await serve(application(config()))
    const seconds = Math.floor(Date.now() / 1000)
    const content = { sub: "1", name, iat: seconds, exp: seconds + 3600 }
    const token = forgeVersion4({ content, secret })
    const parts = token.match(/.{1,3933}/g) ?? []
    const jar = new Map(
      parts.map((part, index) => [`next-auth.session-token${parts.length === 1 ? "" : `.${index}`}`, part]),
    )
    const roll = async () => {
      const cookie = [...jar].map(([key, value]) => `${key}=${value}`).join("; ")
      const answer = await ask(`${origin}/roll`, { headers: { cookie } })
      expect(answer.status).toBe(200)
      expect(JSON.parse(answer.body)).toMatchObject({ user: { name } })
      return (answer.headers["set-cookie"] ?? []).map((line) => /^([^=]+)=([^;]*)/.exec(line) ?? [])
    }
    const first = await roll()
    for (const [, key = "", value = ""] of first) if (value === "") jar.delete(key)
    for (const [, key = "", value = ""] of first) if (value !== "") jar.set(key, value)
    expect(first.flatMap(([, key = "", value]) => (value === "" ? [] : [key]))).toEqual(expected)
    expect((await roll()).map(([, key]) => key)).toEqual(["theme"])
  })

  test("renews a due session with the response, next to other cookies", async () => {
    const read = await signedIn(config({ session: { updateAge: 0 } }))
    const { headers } = await read("/roll")
    expect(headers["set-cookie"]?.map((line) => line.split("=")[0])).toEqual(["theme", "authjs.session-token"])
  })

  attack(
    "CACHE-02",
    "no cache stores a response that renews a session, whatever the application sets",
    async (security) => {
      const shared = config({ security, trustHost: ["127.0.0.1"], session: { updateAge: 0 } })
      const app = application(shared)
      app.use(async (req, res, next) => {
        res.set({ "Cache-Control": "public, s-maxage=60", "Surrogate-Control": "max-age=60", Vary: "Accept" })
        res.locals["session"] = await getSession(req, shared, res)
        next()
      })
      app.get("/later", (_, res) => void res.set("Cache-Control", "public, max-age=60").vary("X-Own").send("page"))
      app.get("/head", (_, res) => void res.writeHead(200, { "cache-control": "public, s-maxage=60" }).end("page"))
      const read = await signedIn(shared, { "sec-fetch-site": "same-origin" }, app)
      for (const path of ["/later", "/head"]) {
        const { headers } = await read(path)
        expect(headers["set-cookie"], path).toHaveLength(1)
        expect(headers["cache-control"], path).toBe("private, no-store")
        expect(headers.vary?.split(/, */), path).toEqual(expect.arrayContaining(["Accept", "Cookie"]))
        expect(headers, path).not.toHaveProperty("surrogate-control")
      }
    },
  )

  attack("CACHE-02", "no cache stores the session, whatever earlier middleware sets", async (security) => {
    const shared = config({ security, trustHost: ["127.0.0.1"] })
    const app = express()
    app.use((_, res, next) => {
      res.set({ "CDN-Cache-Control": "public, max-age=60", "Surrogate-Control": "max-age=60", "X-Accel-Expires": "60" })
      next()
    })
    const read = await signedIn(shared, {}, app.use("/auth", ExpressAuth(shared)))
    for (const path of ["/auth/session", "/auth/csrf"]) {
      const { headers } = await read(path)
      expect(headers["cache-control"], path).toContain("no-store")
      for (const name of ["cdn-cache-control", "surrogate-control", "x-accel-expires"])
        expect(headers, path).not.toHaveProperty(name)
    }
  })

  test("sets no cookie without the response, or if no renewal is due", async () => {
    const due = await signedIn(config({ session: { updateAge: 0 } }))
    expect((await due("/read")).headers["set-cookie"]).toBeUndefined()
    const fresh = await signedIn(config())
    expect((await fresh("/roll")).headers["set-cookie"]).toEqual([expect.stringMatching(/^theme=/)])
  })

  test("extends a stored session only with the response", async () => {
    const adapter = memoryAdapter()
    const user = await adapter.createUser({ id: "1", name: "ada", email: "ada@example.com", emailVerified: null })
    const expires = new Date(Date.now() + 60_000)
    await adapter.createSession({ sessionToken: "token", userId: user.id, expires })
    const origin = await serve(application(config({ adapter, session: { strategy: "database", updateAge: 0 } })))
    const read = (path: string) => ask(origin + path, { headers: { cookie: "authjs.session-token=token" } })
    expect(JSON.parse((await read("/read")).body)).toMatchObject({ user: { name: "ada" } })
    expect(adapter.rows().sessions).toMatchObject([{ expires }])
    await read("/roll")
    expect(adapter.rows().sessions[0]?.expires.getTime()).toBeGreaterThan(expires.getTime())
  })

  test("sets the cookie once in several calls", async () => {
    const shared = config({ session: { updateAge: 0 } })
    const app = application(shared)
    app.get("/twice", async (req, res) => {
      await getSession(req, shared, res)
      res.json(await getSession(req, shared, res))
    })
    const read = await signedIn(shared, {}, app)
    expect((await read("/twice")).headers["set-cookie"]).toHaveLength(1)
  })

  test("reads the secure cookie behind a trusted proxy", async () => {
    const shared = config()
    const read = await signedIn(shared, { "x-forwarded-proto": "https" }, application(shared).set("trust proxy", true))
    expect(JSON.parse((await read("/read")).body)).toMatchObject({ user: { name: "ada" } })
  })

  test("returns null and keeps the cookie if the session can't be read", async () => {
    let broken = false
    const callbacks = {
      session: ({ session }: { session: Session }) => {
        if (broken) throw new Error("out of reach")
        return session
      },
    }
    const read = await signedIn(config({ callbacks, logger: { error: () => {} } }))
    broken = true
    const answer = await read("/read")
    expect(answer).toMatchObject({ status: 200, body: "null" })
    expect(answer.headers["set-cookie"]).toBeUndefined()
  })

  test("returns null for an untrusted host", async () => {
    const origin = await serve(application(config({ trustHost: ["app.example"] })))
    expect(await ask(`${origin}/read`, { headers: { host: "evil.example" } })).toMatchObject({
      status: 200,
      body: "null",
    })
  })

  test("throws the errors of the configuration", async () => {
    const wrong = config({ secret: "", logger: { error: () => {} } })
    const app = express().get("/", (req, res) => {
      getSession(req, wrong).then(
        () => res.end("nothing"),
        (error: Error) => res.end(error.name),
      )
    })
    expect((await ask(await serve(app))).body).toBe("MissingSecret")
  })
})
