import { describe, expect, test, vi } from "vitest"
import { AdapterError, AuthError, CallbackRouteError, CredentialsSignin } from "../errors.js"
import { causesOf } from "./causes.js"
import { hasColors, loggerOf, redact } from "./logger.js"

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

  const printed = (error: Error, config: Parameters<typeof loggerOf>[0] = {}) => {
    const written = lines()
    loggerOf(config).error(error)
    return written.join("\n")
  }

  test("prints the whole chain of causes", () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED 10.0.0.5:5432"), { code: "ECONNREFUSED" })
    const query = new Error("the query failed", { cause: new Error("no connection", { cause: refused }) })
    const text = printed(
      new CallbackRouteError(new AdapterError("getUser failed", { cause: query, method: "getUser" })),
    )
    for (const part of ["getUser failed", "the query failed", "no connection", "connect ECONNREFUSED 10.0.0.5:5432"])
      expect(text).toContain(part)
  })

  test("prints every error of an AggregateError, and its code if the message is empty", () => {
    const both = new AggregateError([new Error("connect ::1"), new Error("connect 127.0.0.1")], "")
    const text = printed(new AuthError("fetch failed", { cause: Object.assign(both, { code: "ECONNREFUSED" }) }))
    for (const part of ["connect ::1", "connect 127.0.0.1", "ECONNREFUSED"]) expect(text).toContain(part)
  })

  test("an error that causes itself is printed once", () => {
    const [one, two] = [new Error("one"), new Error("two")]
    one.cause = two
    two.cause = one
    expect(causesOf(one).map((cause) => cause.split("\n", 1)[0])).toEqual(["Error: two"])
    one.cause = one
    expect(causesOf(one)).toEqual([])
  })

  test("a chain of any length has an end", () => {
    let error = new Error("0")
    for (let depth = 1; depth < 1000; depth++) error = new Error(String(depth), { cause: error })
    expect(causesOf(error)).toHaveLength(20)
  })

  const secretTexts: readonly (readonly [what: string, message: string, config: object])[] = [
    ["the password of a URL", "connect to postgres://app:hush-hush@db.test/app", {}],
    ["a parameter", "POST https://op.test/token?client_secret=hush-hush&x=1 failed", {}],
    ["a code in a URL", "GET https://app.test/cb?code=hush-hush failed", {}],
    ["a bearer token", "sent Authorization: Bearer hush-hush", {}],
    ["the secret of the configuration", "bad key hush-hush", { secret: ["hush-hush"] }],
    ["a client secret", "bad client hush-hush", { providers: [{ options: { clientSecret: "hush-hush" } }] }],
  ]
  test.each(secretTexts)("hides %s in a cause", (_, message, config) => {
    const text = printed(new AuthError("outer", { cause: new Error(message) }), config)
    expect(text).toContain("[redacted]")
    expect(text).not.toContain("hush-hush")
  })

  test.each([
    ["in the message", (error: Error) => error],
    ["after the message", (error: Error) => Object.assign(error, { stack: `${error.stack}\nquery: hush-hush` })],
    [
      "between the frames",
      (error: Error) => Object.assign(error, { stack: `Error: x\n    at f\nhush-hush\n    at g` }),
    ],
    ["instead of a stack", (error: Error) => Object.assign(error, { stack: "hush-hush" })],
  ])("hides a secret in a stack, %s", (_, changed) => {
    const seen: Error[] = []
    const logger = { error: (error: Error) => void seen.push(error) }
    loggerOf({ logger, secret: "hush-hush" }).error(changed(new AuthError("no key hush-hush\n    at hush-hush")))
    expect(seen[0]?.stack).toContain("[redacted]")
    expect(seen[0]?.stack).not.toContain("hush")
  })

  test("a secret that is a word of a path stays there", () => {
    const seen: Error[] = []
    const logger = { error: (error: Error) => void seen.push(error) }
    loggerOf({ logger, secret: "observability" }).error(new AuthError("no key"))
    expect(seen[0]?.stack).toContain("/observability/")
  })

  test("a wrong password isn't an error, and has no stack", () => {
    const error = vi.spyOn(console, "error").mockImplementation(() => undefined)
    const warned: string[] = []
    vi.spyOn(console, "warn").mockImplementation((...parts) => void warned.push(parts.join(" ")))
    loggerOf({}).error(new CredentialsSignin("`authorize` returned no user"))
    expect(error).not.toHaveBeenCalled()
    expect(warned).toEqual([expect.stringMatching(/CredentialsSignin: `authorize` returned no user$/)])
  })

  class WrongCode extends CredentialsSignin {
    override code = "wrong-code"
  }
  class Unnamed extends AuthError {}

  test.each([
    [new WrongCode(), 'CredentialsSignin: WrongCode without a message with the code "wrong-code"'],
    [new WrongCode(undefined, { cause: new TypeError("no row") }), "TypeError: no row"],
    [new WrongCode({ attempt: 3 }), '{"attempt":3}'],
    [new CredentialsSignin(), "CredentialsSignin: CredentialsSignin without a message"],
    [new Unnamed(), "AuthError: Unnamed without a message"],
    [new AuthError("outer", { cause: new RangeError() }), "RangeError\n"],
  ])("an error without a message prints what it has: %#", (error, expected) => {
    expect(printed(error, {})).toContain(expected)
  })
})

describe("colors", () => {
  const terminal = { isTTY: true }
  test.each([
    ["a terminal", { stderr: terminal, env: {} }, true],
    ["a file or a pipe", { stderr: {}, env: {} }, false],
    ["a runtime without a process", undefined, false],
    ["NO_COLOR in a terminal", { stderr: terminal, env: { NO_COLOR: "1" } }, false],
    ["an empty NO_COLOR in a terminal", { stderr: terminal, env: { NO_COLOR: "" } }, true],
    ["FORCE_COLOR in a pipe", { stderr: {}, env: { FORCE_COLOR: "1" } }, true],
    ["FORCE_COLOR=0 in a terminal", { stderr: terminal, env: { FORCE_COLOR: "0" } }, false],
  ])("%s: %#", (_, process, expected) => {
    expect(hasColors("stderr", process)).toBe(expected)
  })
})
