import { describe, expect, test, vi } from "vitest"
import { AuthError } from "../errors.js"
import { loggerOf, redact } from "./logger.js"

const sealed = "eyJhbGciOiJkaXIifQ..5fycTum04AYETERw.27R7S8HmVObBwvUE.RabzitrWo2q1MxRn"

describe("redact", () => {
  test.each([
    "client_secret",
    "clientSecret",
    "access_token",
    "refresh_token",
    "id_token",
    "sessionToken",
    "csrfToken",
    "password",
    "authorization",
    "Cookie",
    "set-cookie",
    "code",
    "code_verifier",
    "client_assertion",
    "apiKey",
    "privateKey",
    "nonce",
    "state",
  ])("hides the values of %s at any depth", (name) => {
    expect(JSON.stringify(redact({ [name]: "hush-hush", a: [{ [name]: { b: "hush-hush" } }] }))).not.toContain("hush")
  })

  test("hides encrypted and signed tokens inside any text", () => {
    const text = JSON.stringify(redact({ url: `/x?y=${sealed}`, list: [sealed], error: new Error(`bad ${sealed}`) }))
    expect(text).not.toContain("27R7S8HmVObBwvUE")
  })

  test("keeps values that aren't secret", () => {
    const at = new Date(0)
    expect(redact({ provider: "p", status: 400, at, n: 1n, none: null })).toEqual({
      provider: "p",
      status: 400,
      at: at.toISOString(),
      n: "1",
      none: null,
    })
  })

  test("accepts circular references, functions and symbols", () => {
    const circle: Record<string, unknown> = { run: () => 1, mark: Symbol("x") }
    circle["self"] = circle
    expect(JSON.stringify(redact(circle))).toContain("[function]")
  })
})

describe("the console", () => {
  const lines = () => {
    const written: string[] = []
    for (const level of ["error", "warn", "log"] as const)
      vi.spyOn(console, level).mockImplementation((...parts) => void written.push(parts.join(" ")))
    return written
  }
  const forged = "x\n[auth][error] forged\r\n\u001B[2J\u009B2J"

  test.each([
    ["a message", () => new AuthError(forged)],
    ["the message of a cause", () => new AuthError("m", new Error(forged))],
    ["details", () => new AuthError("m", { cause: new Error("inner"), description: forged })],
    ["details without an error", () => new AuthError("m", { description: forged })],
    ["an error of others", () => new Error(forged)],
  ])("%s can't forge a log line or send control codes to the terminal", (_, make) => {
    const written = lines()
    loggerOf({}).error(make())
    const rows = written.join("\n").split("\n")
    expect(rows.filter((row) => row.startsWith("[auth][error] forged"))).toEqual([])
    // The logger's own color codes are allowed.
    expect(written.join("\n").replaceAll(/\u001B\[(?:31|33|90|0)m/g, "")).not.toMatch(/[\u001B\u009B\r]/)
  })

  test("prints warnings and debug messages on one line", () => {
    const written = lines()
    const logger = loggerOf({ debug: true })
    logger.warn("debug-enabled", forged)
    logger.debug(forged)
    expect(written.map((line) => line.split("\n").length)).toEqual([1, 1])
  })

  test("a custom logger's `debug` isn't called and its metadata isn't computed unless debug is on", () => {
    const debug = vi.fn()
    const metadata = vi.fn()
    loggerOf({ logger: { debug } }).debug("m", metadata)
    expect([debug.mock.calls, metadata.mock.calls]).toEqual([[], []])
    loggerOf({ logger: { debug }, debug: true }).debug("m", () => ({ access_token: "hush" }))
    expect(debug.mock.calls).toEqual([["m", { access_token: "[redacted]" }]])
  })

  test("a level that the custom logger lacks uses the console, and its methods keep their `this`", () => {
    const written = lines()
    class Own {
      readonly seen: string[] = []
      warn(code: string): void {
        this.seen.push(code)
      }
    }
    const own = new Own()
    const logger = loggerOf({ logger: own })
    logger.warn("debug-enabled")
    logger.error(new AuthError("broken"))
    expect([own.seen, written.some((line) => line.includes("broken"))]).toEqual([["debug-enabled"], true])
  })

  test("an error thrown by a logger is swallowed", () => {
    const fail = () => {
      throw new Error("disk full")
    }
    const logger = loggerOf({ debug: true, logger: { error: fail, warn: fail, debug: fail } })
    expect(() => {
      logger.error(new Error("x"))
      logger.warn("debug-enabled")
      logger.debug("m", fail)
    }).not.toThrow()
  })
})
