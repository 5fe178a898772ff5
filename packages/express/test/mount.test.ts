import type { RequestHandler, Router } from "express"
import { describe, expect, test } from "vitest"
import { mountOf } from "../src/mount.js"
import { expressOf, type Major, majors } from "./majors.js"
import { ask, serve } from "./served.js"

const tell: RequestHandler = (req, res) => {
  res.end(mountOf(req))
}

/** Every way to hang the middleware into an application, and what the browser asks for. */
type Row = readonly [
  title: string,
  mount: (app: Router, router: () => Router) => unknown,
  path: string,
  expected: string,
]

const everywhere: readonly Row[] = [
  ["a plain path", (app) => app.use("/auth", tell), "/auth/callback/acme?code=1", "/auth"],
  ["a plain path asked for itself", (app) => app.use("/auth", tell), "/auth", "/auth"],
  ["a plain path with a slash", (app) => app.use("/auth/", tell), "/auth/session/", "/auth"],
  ["a deep path", (app) => app.use("/api/v1/auth", tell), "/api/v1/auth/session", "/api/v1/auth"],
  ["a path with a parameter", (app) => app.use("/:tenant/auth", tell), "/acme/auth/session", "/acme/auth"],
  ["a nested router", (app, router) => app.use("/api", router().use("/auth", tell)), "/api/auth/session", "/api/auth"],
  ["a path twice in the address", (app) => app.use("/auth", tell), "/auth/signin/auth", "/auth"],
  ["the root", (app) => app.use(tell), "/session", ""],
]

const patterns: Readonly<Record<Major, readonly Row[]>> = {
  "4": wild("*"),
  "5": [
    ...wild("*splat"),
    ...wild("*any"),
    ["an optional wildcard", (app) => app.use("/auth{/*rest}", tell), "/auth", "/auth"],
  ],
}

function wild(star: string): readonly Row[] {
  return [
    [`use /auth/${star}`, (app) => app.use(`/auth/${star}`, tell), "/auth/callback/acme?code=/x", "/auth"],
    [`use /auth/${star} with one segment`, (app) => app.use(`/auth/${star}`, tell), "/auth/session", "/auth"],
    [`use /auth/${star} with a last slash`, (app) => app.use(`/auth/${star}`, tell), "/auth/session/", "/auth"],
    [
      `use /auth/${star} with an encoded segment`,
      (app) => app.use(`/auth/${star}`, tell),
      "/auth/signin/a%20b",
      "/auth",
    ],
    [`use /auth/${star} with repeated words`, (app) => app.use(`/auth/${star}`, tell), "/auth/auth/auth", "/auth"],
    [`all /auth/${star}`, (app) => app.all(`/auth/${star}`, tell), "/auth/signin/acme", "/auth"],
    [
      `a router with /auth/${star}`,
      (app, router) => app.use("/api", router().use(`/auth/${star}`, tell)),
      "/api/auth/session",
      "/api/auth",
    ],
    [`the root /${star}`, (app) => app.use(`/${star}`, tell), "/callback/acme", ""],
  ]
}

describe.each(majors)("Express %s", (major) => {
  const express = expressOf(major)

  test.each([...everywhere, ...patterns[major]])(
    "finds where it is mounted: %s",
    async (_title, mount, path, expected) => {
      const app = express()
      mount(app, () => express.Router())
      const { body, status } = await ask((await serve(app)) + path)
      expect([status, body]).toEqual([200, expected])
    },
  )

  test("finds where it is mounted in a sub-application", async () => {
    const shop = express().use("/auth", tell)
    const base = await serve(express().use("/shop", shop))
    expect((await ask(`${base}/shop/auth/session`)).body).toBe("/shop/auth")
  })

  test("is not misled by a wildcard of a parent router", async () => {
    const router = express.Router({ mergeParams: true }).use("/auth", tell)
    const base = await serve(express().use(major === "4" ? "/in/*/x" : "/in/*rest/x", router))
    expect((await ask(`${base}/in/session/x/auth/session`)).body).toBe("/in/session/x/auth")
  })
})
