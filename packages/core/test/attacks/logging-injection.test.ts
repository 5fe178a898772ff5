import type { AuthConfig } from "@latchkey/core/types"
import { createProvider } from "@latchkey/testing"
import { expect, vi } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { bare, form, site } from "./surface-setup.js"

/** The lines that are written to the console. */
function capture(): readonly string[] {
  const written: string[] = []
  for (const level of ["error", "warn", "log"] as const)
    vi.spyOn(console, level).mockImplementation((...parts: unknown[]) => void written.push(parts.join(" ")))
  return written
}

const forgeries = [
  "javascript:x\n[auth][error] forged",
  "x\r\n[auth][error] forged",
  "x\r[auth][error] forged",
  "\u2028[auth][error] forged",
  "\u2029[auth][error] forged",
  "\u202Egro.demrof",
  "\u0085[auth][error] forged",
  "\u001B[2J\u001B[31m[auth][error]\u001B[0m forged",
  "\u009B2J[auth][error] forged",
  "\u001B]0;title\u0007forged",
  "\u0008\u0008\u0008forged",
]

/** The output has no escape sequences except the logger's colors, and no line imitates a log line. */
function expectHonest(written: readonly string[]): void {
  const text = written.join("\n").replaceAll(/\u001B\[(?:31|33|90|0)m(?=\[auth\]|:|\s)/g, "")
  expect(text).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069]/)
  expect(text).not.toMatch(/^\[auth\]\[error\] forged/m)
}

const loud = (rest: Partial<AuthConfig>): Partial<AuthConfig> => ({ logger: {}, debug: true, ...rest })

attack("LOG-04", "a request cannot forge log lines or control the terminal", async (mode) => {
  const written = capture()
  const { get, post, send } = bare(mode, loud({}))
  for (const forgery of forgeries) {
    const text = encodeURIComponent(forgery)
    await get(`/auth/signin?callbackUrl=${text}&error=${text}`)
    await get(`/auth/signin/${text}`)
    await get(`/auth/${text}`)
    await get(`/auth/error?error=${text}&code=${text}`)
    await get(`/auth/callback/op?error=${text}&error_description=${text}&state=${text}&code=${text}`)
    await get("/auth/session", { cookie: `__Secure-authjs.session-token=${text}; __Host-authjs.session-token=${text}` })
    await post("/auth/signin/op", { callbackUrl: forgery, scope: forgery })
    await post("/auth/callback/credentials", { name: forgery, password: forgery })
    await post("/auth/signout", { callbackUrl: forgery })
    await send("/auth/session", form(JSON.stringify({ data: forgery }), "application/json"))
  }
  expect(written.length).toBeGreaterThan(forgeries.length)
  expectHonest(written)
})

async function refused(mode: Mode, forgery: string): Promise<void> {
  const op = createProvider()
  const { browser } = await site(mode, loud({ providers: [op.provider()] }))
  await browser.signIn("op")
  await browser.consentAt(op, { error: forgery, description: forgery })
  const body = { error: forgery, error_description: forgery }
  op.inject({ token: () => Response.json(body, { status: 400 }) })
  await browser.signInWith(op, { as: "ada" })
}

attack("LOG-04", "a provider cannot forge log lines or control the terminal", async (mode) => {
  const written = capture()
  for (const forgery of forgeries) await refused(mode, forgery)
  expect(written.some((line) => line.includes("forged"))).toBe(true)
  expectHonest(written)
})

attack("LOG-04", "errors thrown by the application cannot forge log lines or control the terminal", async (mode) => {
  const written = capture()
  for (const forgery of forgeries) {
    const authorize = () => {
      throw Object.assign(new Error(forgery), { name: forgery })
    }
    const provider = { id: "c", name: "C", type: "credentials" as const, credentials: { name: {} }, authorize }
    const cause = () => {
      throw new Error(forgery, { cause: { note: forgery } })
    }
    const { post } = bare(mode, loud({ providers: [provider] }))
    await post("/auth/callback/c", { name: "ada" })
    const other = bare(mode, loud({ providers: [provider], callbacks: { redirect: cause } }))
    await other.get("/auth/signin?callbackUrl=/x")
  }
  expect(written.some((line) => line.includes("forged"))).toBe(true)
  expectHonest(written)
})

attack("LOG-04", "a configured logger gets the error object, for one line of JSON per entry", async (mode) => {
  const lines: string[] = []
  const error = ({ name, message }: Error) => void lines.push(JSON.stringify({ name, message }))
  const { post } = bare(mode, { logger: { error } })
  for (const forgery of forgeries) await post("/auth/callback/credentials", { name: forgery, password: "wrong" })
  expect(lines).toHaveLength(forgeries.length)
  for (const line of lines) expect(line.split("\n")).toHaveLength(1)
})
