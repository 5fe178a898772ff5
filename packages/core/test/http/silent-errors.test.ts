import { Auth } from "@latchkey/core"
import * as errors from "@latchkey/core/errors"
import credentials from "@latchkey/core/providers/credentials"
import { openBrowser } from "@latchkey/testing"
import { expect, test, vi } from "vitest"
import { strongSecret } from "../modes/setup.js"

type Class = new (message?: string, details?: object) => Error

function isClass(value: unknown): value is Class {
  return value === errors.AuthError || (typeof value === "function" && value.prototype instanceof errors.AuthError)
}

const exported: Readonly<Record<string, unknown>> = errors
const classes = Object.entries(exported).flatMap(([name, value]) => (isClass(value) ? [[name, value] as const] : []))

/** What the console gets if `authorize` throws. */
async function loggedFor(thrown: Error): Promise<string> {
  const lines: string[] = []
  for (const level of ["error", "warn"] as const)
    vi.spyOn(console, level).mockImplementation((...parts: unknown[]) => void lines.push(parts.join(" ")))
  const config = {
    secret: strongSecret,
    url: "https://app.test/auth",
    rateLimit: false,
    providers: [credentials({ credentials: {}, authorize: () => Promise.reject(thrown) })],
  } as const
  const browser = openBrowser({ origin: "https://app.test", handle: (request) => Auth(request, config) })
  await browser.signIn("credentials", {})
  return lines.join("\n")
}

test("there are errors", () => {
  expect(classes.length).toBeGreaterThan(30)
})

test.each(classes)("the console names %s without a message, with its code and cause", async (_, Base) => {
  class Refused extends Base {
    readonly code = "R-7"
  }
  const thrown = new Refused(undefined, { cause: new TypeError("the directory is closed") })
  const logged = await loggedFor(thrown)
  expect(logged).toContain(`${Reflect.get(thrown, "type")}: Refused without a message with the code "R-7"`)
  expect(logged).toContain("TypeError: the directory is closed")
})

test.each(classes)("the console names %s without anything else", async (name, Base) => {
  const logged = await loggedFor(new Base(undefined, {}))
  expect(logged).toContain(`${name.replace("SecretError", "Secret")} without a message`)
})
