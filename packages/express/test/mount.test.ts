import type { RequestHandler, Router } from "express"
import { describe, expect, test } from "vitest"
import { mountPath } from "../src/mount.js"
import { expressOf, type Major, majors } from "./majors.js"
import { ask, serve } from "./served.js"

const sendMountPath: RequestHandler = (req, res) => {
  res.end(mountPath(req))
}

/** The ways to mount the middleware, and the path of a request. */
type Row = readonly [
  title: string,
  mount: (app: Router, router: () => Router) => unknown,
  path: string,
  expected: string,
]

const everywhere: readonly Row[] = [
  ["a plain path", (app) => app.use("/auth", sendMountPath), "/auth/callback/acme?code=1", "/auth"],
  ["a plain path without a route", (app) => app.use("/auth", sendMountPath), "/auth", "/auth"],
  ["a plain path with a trailing slash", (app) => app.use("/auth/", sendMountPath), "/auth/session/", "/auth"],
  ["a deep path", (app) => app.use("/api/v1/auth", sendMountPath), "/api/v1/auth/session", "/api/v1/auth"],
  ["a path with a parameter", (app) => app.use("/:tenant/auth", sendMountPath), "/acme/auth/session", "/acme/auth"],
  [
    "a nested router",
    (app, router) => app.use("/api", router().use("/auth", sendMountPath)),
    "/api/auth/session",
    "/api/auth",
  ],
  ["a path that occurs twice in the URL", (app) => app.use("/auth", sendMountPath), "/auth/signin/auth", "/auth"],
  ["the root", (app) => app.use(sendMountPath), "/session", ""],
]

const patterns: Readonly<Record<Major, readonly Row[]>> = {
  "4": wild("*"),
  "5": [
    ...wild("*splat"),
    ...wild("*any"),
    ["an optional wildcard", (app) => app.use("/auth{/*rest}", sendMountPath), "/auth", "/auth"],
  ],
}

function wild(star: string): readonly Row[] {
  return [
    [`use /auth/${star}`, (app) => app.use(`/auth/${star}`, sendMountPath), "/auth/callback/acme?code=/x", "/auth"],
    [`use /auth/${star} with one segment`, (app) => app.use(`/auth/${star}`, sendMountPath), "/auth/session", "/auth"],
    [
      `use /auth/${star} with a trailing slash`,
      (app) => app.use(`/auth/${star}`, sendMountPath),
      "/auth/session/",
      "/auth",
    ],
    [
      `use /auth/${star} with an encoded segment`,
      (app) => app.use(`/auth/${star}`, sendMountPath),
      "/auth/signin/a%20b",
      "/auth",
    ],
    [
      `use /auth/${star} with repeated words`,
      (app) => app.use(`/auth/${star}`, sendMountPath),
      "/auth/auth/auth",
      "/auth",
    ],
    [`all /auth/${star}`, (app) => app.all(`/auth/${star}`, sendMountPath), "/auth/signin/acme", "/auth"],
    [
      `a router with /auth/${star}`,
      (app, router) => app.use("/api", router().use(`/auth/${star}`, sendMountPath)),
      "/api/auth/session",
      "/api/auth",
    ],
    [`the root /${star}`, (app) => app.use(`/${star}`, sendMountPath), "/callback/acme", ""],
  ]
}

describe.each(majors)("Express %s", (major) => {
  const express = expressOf(major)

  test.each([...everywhere, ...patterns[major]])("finds its mount path: %s", async (_title, mount, path, expected) => {
    const app = express()
    mount(app, () => express.Router())
    const { body, status } = await ask((await serve(app)) + path)
    expect([status, body]).toEqual([200, expected])
  })

  test("finds its mount path in a mounted app", async () => {
    const shop = express().use("/auth", sendMountPath)
    const base = await serve(express().use("/shop", shop))
    expect((await ask(`${base}/shop/auth/session`)).body).toBe("/shop/auth")
  })

  test("ignores a wildcard of a parent router", async () => {
    const router = express.Router({ mergeParams: true }).use("/auth", sendMountPath)
    const base = await serve(express().use(major === "4" ? "/in/*/x" : "/in/*rest/x", router))
    expect((await ask(`${base}/in/session/x/auth/session`)).body).toBe("/in/session/x/auth")
  })
})
