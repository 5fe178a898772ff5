import { createHash } from "node:crypto"
import { afterEach, describe, expect, test, vi } from "vitest"
import { commonPasswords } from "../../src/policy/common.js"
import { createPolicy, type PolicyOptions } from "../../src/policy/policy.js"

const context = { app: "Acme Notes", email: "ada.lovelace@example.test" }

async function broken(password: string, options: Partial<PolicyOptions> = {}, words = context) {
  const policy = createPolicy({ minLength: 15, breached: false, ...options })
  const failures: string[] = []
  const found = await policy.check(password, words, async () => void failures.push("failed"))
  return { rule: found?.rule, failures }
}

const ruleOf = async (...args: Parameters<typeof broken>) => (await broken(...args)).rule

describe("the length of a password", () => {
  test.each([
    ["14 characters", "qjvbmtxkzrwpdl", "tooShort"],
    ["15 characters", "qjvbmtxkzrwpdln", undefined],
    ["14 emoji, each two UTF-16 units", "😀🐢🎈🍋🚲🎻🧵🦉🪁🌵🏔🧊🍩🥁", "tooShort"],
    ["15 emoji", "😀🐢🎈🍋🚲🎻🧵🦉🪁🌵🏔🧊🍩🥁🪴", undefined],
    ["15 characters that NFC makes 14", "qjvbmtxkzrwpe\u0301", "tooShort"],
    ["256 characters of four bytes", "😀🐢🎈🍋".repeat(64), undefined],
    ["1,024 bytes", "abcdefgh ijk mnop".repeat(61).slice(0, 1024), undefined],
    ["1,025 bytes", `é${"x".repeat(1023)}`, "tooLong"],
    ["a megabyte", "x".repeat(1_000_000), "tooLong"],
  ])("%s", async (_, password, rule) => {
    expect(await ruleOf(password)).toBe(rule)
  })

  test("the message of a short one has the minimum", async () => {
    const found = await createPolicy({ minLength: 8, breached: false }).check("short", context, async () => {})
    expect(found).toEqual({ rule: "tooShort", values: { min: "8" } })
  })
})

test.each([
  "no digits or capitals",
  "   spaces   around   ",
  "пароль из слов и снов",
  "correct\u00A0zebra\u3000battery",
  "می\u200Cخواهم گربه سفید",
])("%j has no rule of composition to break", async (password) => {
  expect(await ruleOf(password)).toBeUndefined()
})

test.each([
  "nul \u0000 in the middle",
  "tab\tin the middle of it",
  "half \uD800 of a pair",
  "joiner\u200Din the word it",
  "private \uE000 use area",
])("%j has characters that can't be typed again", async (password) => {
  expect(await ruleOf(password)).toBe("characters")
})

describe("the local list", () => {
  const list = [...commonPasswords()]

  test("has at least 3,000 entries that meet each minimum", () => {
    expect(list.filter((password) => password.length >= 8).length).toBeGreaterThan(10_000)
    expect(list.filter((password) => password.length >= 15).length).toBeGreaterThan(3000)
    expect(list.filter((password) => password.length < 8)).toEqual([])
  })

  test.each([
    "passwordpassword",
    "PasswordPassword",
    "p@ssw0rdp@ssw0rd",
    "passwordpassword1",
    "password password",
    "passwordpassword!!!",
    "123456789012345",
    "1234567890123456",
    "qwertyuiopasdfgh",
    "qwertyuiopasdfghjkl",
    "1qaz2wsx3edc4rfv",
    "abcdefghijklmnop",
    "correcthorsebatterystaple",
    "aaaaaaaaaaaaaaaaaaaa",
    "abcabcabcabcabcabc",
    "iloveyouiloveyou",
    "administrator2024",
    "1q2w3e4r5t6y7u8i",
  ])("has %s", async (password) => {
    expect(await ruleOf(password)).toBe("common")
  })

  test.each([
    "password1",
    "Password123",
    "qwerty123",
    "iloveyou1",
    "sunshine2024",
    "letmein123",
    "baseball",
    "P@ssw0rd!",
    "dragon1234",
  ])("has %s for a minimum of 8", async (password) => {
    expect(await ruleOf(password, { minLength: 8 })).toBe("common")
  })

  test("lets an ordinary passphrase pass", async () => {
    expect(await ruleOf("tuba gravel oyster ninety")).toBeUndefined()
  })
})

describe("words that an attacker would try first", () => {
  test.each([
    "acmenotes acmenotes",
    "AcmeNotes2026!!",
    "ada.lovelace.1815",
    "lovelace lovelace 1",
    "ada.lovelace@example.test",
    "L0vel@ce-Acme-2026",
  ])("%j is made of the application's name or the email", async (password) => {
    expect(await ruleOf(password)).toBe("context")
  })

  test("a word among others doesn't matter", async () => {
    expect(await ruleOf("my lovelace paints turtles")).toBeUndefined()
  })

  test("short parts don't count", async () => {
    expect(await ruleOf("ada grows tulips", {}, { app: "Go", email: "ada@x.test" })).toBeUndefined()
  })
})

describe("breaches", () => {
  const password = "tuba gravel oyster ninety"
  const sha1 = createHash("sha1").update(password).digest("hex").toUpperCase()
  const answered = (body: string, init?: ResponseInit) => {
    const asked: { url: string; padding: string | null; signal: AbortSignal | null | undefined }[] = []
    vi.stubGlobal("fetch", async (url: string, { headers, signal }: RequestInit) => {
      asked.push({ url, padding: new Headers(headers).get("add-padding"), signal })
      return new Response(body, init)
    })
    return asked
  }
  afterEach(() => vi.unstubAllGlobals())

  test("five digits leave, and the answer may be padded", async () => {
    const asked = answered(`${"0".repeat(35)}:3\r\n${sha1.slice(5)}:17\r\n`)
    expect(await broken(password, { breached: undefined })).toEqual({ rule: "breached", failures: [] })
    expect(asked.map(({ url, padding }) => [url, padding])).toEqual([
      [`https://api.pwnedpasswords.com/range/${sha1.slice(0, 5)}`, "true"],
    ])
    expect(asked[0]?.signal).toBeInstanceOf(AbortSignal)
  })

  test("a line of padding isn't a breach", async () => {
    answered(`${sha1.slice(5)}:0\r\n`)
    expect(await ruleOf(password, { breached: undefined })).toBeUndefined()
  })

  test.each([
    ["fails", () => Promise.reject(new TypeError("fetch failed"))],
    ["answers with an error", async () => new Response("busy", { status: 503 })],
  ])("if the service %s, the other rules decide, and the caller is told", async (_, fetch) => {
    vi.stubGlobal("fetch", fetch)
    expect(await broken(password, { breached: undefined })).toEqual({ rule: undefined, failures: ["failed"] })
    expect(await broken("passwordpassword", { breached: undefined })).toEqual({ rule: "common", failures: [] })
  })

  test("the service has 1.5 seconds", async () => {
    const timeouts: number[] = []
    vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
      timeouts.push(ms)
      return AbortSignal.abort()
    })
    vi.stubGlobal("fetch", async (_: string, { signal }: RequestInit) => {
      signal?.throwIfAborted()
      return new Response("")
    })
    expect(await broken(password, { breached: undefined })).toEqual({ rule: undefined, failures: ["failed"] })
    expect(timeouts).toEqual([1500])
  })

  test("an offline function is asked instead, with the hash of the prepared password", async () => {
    vi.stubGlobal("fetch", () => expect.fail("no request"))
    const asked: string[] = []
    const breached = (hash: string) => {
      asked.push(hash)
      return true
    }
    expect(await ruleOf("tuba\u00A0gravel oyster ninety", { breached })).toBe("breached")
    expect(asked).toEqual([sha1])
  })

  test("a password that another rule forbids is never looked up", async () => {
    expect(await ruleOf("short", { breached: () => expect.fail("asked") })).toBe("tooShort")
  })
})
