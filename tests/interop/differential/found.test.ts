// Scenarios that showed a difference once, as differential.test.ts prints them.
import { test } from "vitest"
import { expectSame } from "./expect-same.js"

test("POST /callback/credentials: a second sign-in with credentials", () =>
  expectSame({
    plan: {
      framework: "core",
      origin: "https://app.test",
      config: "one object",
      env: { NODE_ENV: "production", AUTH_TRUST_HOST: "true" },
      secrets: "one",
      adapter: false,
      providers: [{ type: "credentials", id: "credentials", authorize: { returns: { id: "ada", name: "Ada" } } }],
      callbacks: {},
    },
    steps: [
      { do: "submit", browser: 0, page: "/signin?callbackUrl=%2Fdashboard", provider: "credentials" },
      { do: "submit", browser: 0, page: "/signin", provider: "credentials" },
      { do: "post", browser: 0, path: "/signout", csrf: "valid" },
    ],
  }))

test("GET /callback/op: a number as the id of an account", () =>
  expectSame({
    plan: {
      framework: "core",
      origin: "https://app.test",
      config: "one object",
      env: { NODE_ENV: "production", AUTH_TRUST_HOST: "true" },
      secrets: "one",
      adapter: true,
      providers: [{ type: "oauth", id: "op", profile: { returns: { id: 1, name: "Ada", email: "ada@example.test" } } }],
      callbacks: {},
    },
    steps: [
      { do: "submit", browser: 0, page: "/signin", provider: "op" },
      { do: "return", browser: 0, outcome: "ada" },
      { do: "submit", browser: 1, page: "/signin", provider: "op" },
      { do: "return", browser: 1, outcome: "ada" },
    ],
  }))
