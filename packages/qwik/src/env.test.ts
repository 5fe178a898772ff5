import { withEnv } from "@latchkey/core"
import { expect, test } from "vitest"
import { recordFor } from "./env.js"

/** A platform that can't list its variables. */
const getter = (variables: Readonly<Record<string, string>>) => ({ get: (name: string) => variables[name] })

const config = (variables: Readonly<Record<string, string>>, url: string) =>
  withEnv({ providers: [] }, recordFor(getter(variables), new URL(url)))

test("variables are read from the getter of the request event", () => {
  const found = config({ AUTH_SECRET: "a", AUTH_SECRET_1: "b", AUTH_TRUST_HOST: "true" }, "http://localhost:3000/")
  expect(found).toMatchObject({ secret: ["b", "a"], trustHost: true })
  expect(found.url).toBeUndefined()
})

test("ORIGIN is the URL of the site if Qwik uses it for the request", () => {
  const variables = { ORIGIN: "https://app.test" }
  expect(config(variables, "https://app.test/page")).toMatchObject({ url: "https://app.test" })
  // On another platform, the variable may mean something else.
  expect(config(variables, "https://evil.test/page").url).toBeUndefined()
})

test("AUTH_URL comes before ORIGIN", () => {
  const variables = { ORIGIN: "https://app.test", AUTH_URL: "https://public.test" }
  expect(config(variables, "https://app.test/").url).toBe("https://public.test")
})
