// Scenarios that showed a difference once, as differential.test.ts prints them.
import { test } from "vitest"
import { expectSame } from "./expect-same.js"
import type { Step } from "./plan.js"

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

test("GET /webauthn-options/webauthn: a user whose email is empty adds a passkey", () =>
  expectSame({
    plan: {
      framework: "core",
      origin: "http://localhost:3000",
      config: "one object",
      env: { NODE_ENV: "production", AUTH_TRUST_HOST: "true" },
      secrets: "one",
      adapter: true,
      providers: [
        { type: "oidc", id: "op", profile: { returns: { id: "1", name: "Ada", email: "" } } },
        { type: "webauthn", id: "webauthn", module: "webauthn" },
      ],
      callbacks: {},
      enableWebAuthn: true,
    },
    steps: [
      { do: "submit", browser: 0, page: "/signin", provider: "op" },
      { do: "return", browser: 0, outcome: "ada" },
      { do: "passkey", browser: 0, provider: "webauthn", action: "register", authenticator: 0, answer: "right" },
    ],
  }))

test("GET /callback/op: emails that few sites have", () =>
  expectSame({
    plan: {
      framework: "core",
      origin: "https://app.test",
      config: "one object",
      env: { NODE_ENV: "production", AUTH_TRUST_HOST: "true" },
      secrets: "one",
      adapter: true,
      users: ["info@bücher.test"],
      providers: [
        { type: "oidc", id: "op", profile: { returns: { id: "1", email: "Admin@localhost" } } },
        { type: "email", id: "email" },
      ],
      callbacks: {},
    },
    steps: [
      { do: "submit", browser: 0, page: "/signin", provider: "op" },
      { do: "return", browser: 0, outcome: "ada" },
      ...["jörg@example.test", "taro..yamada@docomo.test", "user@10.0.0.1", "info@bücher.test"].flatMap(
        (email): Step[] => [
          { do: "submit", browser: 1, page: "/signin", provider: "email", email },
          { do: "open link", browser: 1 },
          { do: "post", browser: 1, path: "/signout", csrf: "valid" },
        ],
      ),
    ],
  }))
