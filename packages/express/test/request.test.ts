import { EventEmitter, once } from "node:events"
import { request } from "node:http"
import type { RequestHandler } from "express"
import { describe, expect, test } from "vitest"
import { read, requestOf } from "../src/request.js"
import { expressOf, majors } from "./majors.js"
import { ask, serve, talk } from "./served.js"

/** Responds with the request that the engine would get. */
const echo: RequestHandler = async (req, res) => {
  const request = requestOf(req)
  if (request === undefined) return void res.status(400).end()
  const { url, method, headers } = request
  res.json({ url, method, headers: Object.fromEntries(headers), body: await new Response(request.body).text() })
}

const form = { "content-type": "application/x-www-form-urlencoded" }
const json = { "content-type": "application/json; charset=utf-8" }
const proxied = {
  host: "inner:80",
  "x-forwarded-proto": "https",
  "x-forwarded-host": "app.example",
  forwarded: "host=evil",
}

describe.each(majors)("Express %s", (major) => {
  const express = expressOf(major)

  test("has the full URL, with mount paths and query", async () => {
    const base = await serve(express().use("/auth", echo))
    const { body } = await ask(`${base}/auth/callback/acme?code=a%2Fb&state=1`, { headers: { host: "app.example:81" } })
    expect(JSON.parse(body)).toMatchObject({
      url: "http://app.example:81/auth/callback/acme?code=a%2Fb&state=1",
      method: "GET",
    })
  })

  test("ignores forwarded headers unless Express trusts the proxy", async () => {
    const base = await serve(express().use("/auth", echo))
    const seen = JSON.parse((await ask(`${base}/auth/session`, { headers: proxied })).body)
    expect(seen.url).toBe("http://inner/auth/session")
    expect(Object.keys(seen.headers).filter((name) => name.includes("forwarded"))).toEqual([])
  })

  test("keeps forwarded headers if Express trusts the proxy, also in mounted apps", async () => {
    const app = express().set("trust proxy", "loopback").use("/shop", express().use("/auth", echo))
    const seen = JSON.parse((await ask(`${await serve(app)}/shop/auth/session`, { headers: proxied })).body)
    expect(seen.url).toMatch(/^https:/)
    expect(seen.headers).toMatchObject({ "x-forwarded-proto": "https", "x-forwarded-host": "app.example" })
  })

  test("ignores forwarded headers of a peer that isn't trusted", async () => {
    const app = express().set("trust proxy", "10.0.0.1").use("/auth", echo)
    expect(JSON.parse((await ask(`${await serve(app)}/auth/session`, { headers: proxied })).body).url).toMatch(/^http:/)
  })

  test.each(["app.example@evil.example", "evil.example/x?", "evil example", "app.example:port", "a\\b", "[::1"])(
    "takes no address from the host %j",
    async (host) => {
      const base = await serve(
        express()
          .use("/auth", echo)
          .use("/who", (req, res) => res.json(read(req).url.origin)),
      )
      expect((await ask(`${base}/auth/session`, { headers: { host } })).status).toBe(400)
      expect((await ask(`${base}/who`, { headers: { host } })).body).toBe(`"http://localhost"`)
    },
  )

  test("reads an unread body", async () => {
    const base = await serve(express().use("/auth", echo))
    const { body } = await ask(`${base}/auth/signout`, { method: "POST", headers: form, body: "a=1&a=2&b=%26" })
    expect(JSON.parse(body).body).toBe("a=1&a=2&b=%26")
  })

  test("accepts a POST without a body, with and without body parsers", async () => {
    const base = await serve(
      express()
        .use("/parsed", express.json(), express.urlencoded({ extended: true }), echo)
        .use("/auth", echo),
    )
    expect(JSON.parse((await ask(`${base}/parsed`, { method: "POST" })).body).body).toBe("")
    expect(JSON.parse((await ask(`${base}/auth`, { method: "POST" })).body).body).toBe("")
  })

  test.each([
    ["json", express.json(), json, '{"a":[1,{"b":"ä"}]}', '{"a":[1,{"b":"ä"}]}'],
    ["urlencoded", express.urlencoded({ extended: false }), form, "a=1&a=2&b=%26", "a=1&a=2&b=%26"],
    ["urlencoded, extended", express.urlencoded({ extended: true }), form, "a=1&a=2&o[k]=v", "a=1&a=2&o%5Bk%5D=v"],
    ["text", express.text({ type: "*/*" }), form, "a=1&b=%26", "a=1&b=%26"],
    ["raw", express.raw({ type: "*/*" }), form, "a=1&b=%26", "a=1&b=%26"],
    ["json, of a form", express.json(), form, "a=1&b=%26", "a=1&b=%26"],
  ])("gives back the body that express.%s has parsed", async (_name, parser, headers, sent, expected) => {
    const base = await serve(express().use(parser).use("/auth", echo))
    const { body } = await ask(`${base}/auth/signout`, { method: "POST", headers, body: sent })
    expect(JSON.parse(body).body).toBe(expected)
  })

  test("drops the length and encoding of a parsed body", async () => {
    const base = await serve(
      express()
        .use(express.urlencoded({ extended: true }))
        .use("/auth", echo),
    )
    const headers = { ...form, "content-length": "5" }
    const seen = JSON.parse((await ask(`${base}/auth`, { method: "POST", headers, body: "a=%61" })).body)
    expect(seen.headers["content-length"]).toBeUndefined()
    expect(seen.headers["content-type"]).toMatch(form["content-type"])
  })

  test("encodes a parsed multipart form as a URL-encoded form", async () => {
    const parts: RequestHandler = async (req, _res, next) => {
      for await (const _ of req);
      req.body = { a: ["1", "2"], none: undefined }
      next()
    }
    const base = await serve(express().use(parts).use("/auth", echo))
    const headers = { "content-type": "multipart/form-data; boundary=x" }
    const seen = JSON.parse((await ask(`${base}/auth`, { method: "POST", headers, body: "--x--" })).body)
    expect(seen.body).toBe("a=1&a=2")
    expect(seen.headers["content-type"]).toMatch(/^application\/x-www-form-urlencoded/)
  })

  test("responds if the reader stops at a large body, and the connection stays usable", async () => {
    const stop: RequestHandler = async (req, res) => {
      const body = requestOf(req)?.body
      const reader = body instanceof ReadableStream ? body.getReader() : undefined
      await reader?.read()
      await reader?.cancel()
      res.status(413).end("too much")
    }
    const origin = await serve(
      express()
        .post("/auth", stop)
        .use((_req, res) => res.end("next")),
    )
    const length = 20_000_000
    const large = `POST /auth HTTP/1.1\r\nHost: app\r\nContent-Length: ${length}\r\n\r\n${"x".repeat(length)}`
    const heard = await talk(origin, `${large}GET / HTTP/1.1\r\nHost: app\r\nConnection: close\r\n\r\n`)
    expect(heard).toMatch(/^HTTP\/1.1 413 .*too much.*HTTP\/1.1 200 OK.*next$/s)
  })

  test("rejects if the client disconnects", async () => {
    const news = new EventEmitter()
    const read: RequestHandler = (req) => {
      new Response(requestOf(req)?.body).text().then(
        () => news.emit("read", "all of it"),
        () => news.emit("read", "broken off"),
      )
      req.once("data", () => news.emit("arrived"))
    }
    const sent = request(`${await serve(express().use("/auth", read))}/auth`, { method: "POST", agent: false })
    sent.on("error", () => {}).write("a=1")
    await once(news, "arrived")
    sent.destroy()
    expect(await once(news, "read")).toEqual(["broken off"])
  })
})
