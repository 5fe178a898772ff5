import { type Captcha, type CaptchaAction, hcaptcha, turnstile } from "@latchkey/core/captcha"
import type { AuthConfig } from "@latchkey/core/types"
import { captureLog, visit } from "@latchkey/testing"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { describe, expect, test } from "vitest"
import { errorAt, mailbox } from "./setup.js"

const keys = { siteKey: "site-key", secretKey: "secret-key" }
const modes = ["compatible", "strict"] as const

interface Asked {
  readonly token: string
  readonly ip: string | undefined
  readonly action: CaptchaAction
}

async function site(mode: (typeof modes)[number], captcha: Captcha | undefined, rest: Partial<AuthConfig> = {}) {
  const [mail, log] = [mailbox(), captureLog()]
  const config: AuthConfig = {
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw",
    url: "https://app.test/auth",
    security: mode,
    adapter: memoryAdapter(),
    providers: [mail.provider],
    logger: log.logger,
    captcha,
    ...rest,
  }
  return { mail, log, browser: await visit(config) }
}

/** A service of which a token is good once. */
function service(good: readonly string[], more: Partial<Captcha> = {}) {
  const left = new Set(good)
  const asked: Asked[] = []
  const verify: Captcha["verify"] = ({ token, ip, action }) => (asked.push({ token, ip, action }), left.delete(token))
  return { asked, captcha: { field: "proof", verify, ...more } satisfies Captcha }
}

const refused = "/auth/signin CaptchaRefused"

describe.each(modes)("an email link behind a CAPTCHA (%s)", (mode) => {
  test("is sent with a token that the service accepts, once", async () => {
    const { captcha, asked } = service(["good"])
    const { browser, mail } = await site(mode, captcha)
    await browser.signIn("email", { email: "ada@users.test", proof: "good" })
    expect([mail.sent.length, asked]).toEqual([1, [{ token: "good", ip: undefined, action: "email" }]])
    await browser.signIn("email", { email: "ada@users.test", proof: "good" })
    expect([errorAt(browser), mail.sent.length]).toEqual([refused, 1])
    expect(browser.text).toContain("We couldn&#39;t verify that you aren&#39;t a bot.")
    expect(browser.text).toContain('value="ada@users.test"')
  })

  test.each([undefined, "", "x".repeat(8193)])(
    "isn't sent without a usable token, and the service isn't asked",
    async (proof) => {
      const { captcha, asked } = service([])
      const { browser, mail } = await site(mode, captcha)
      await browser.signIn("email", { email: "ada@users.test", ...(proof !== undefined && { proof }) })
      expect([errorAt(browser), mail.sent.length, asked]).toEqual([refused, 0, []])
    },
  )

  test("counts for no limit of the email when the token is wrong", async () => {
    const { captcha } = service(["good"])
    const { browser, mail } = await site(mode, captcha)
    for (let count = 0; count < 12; count++) await browser.signIn("email", { email: "ada@users.test", proof: "bad" })
    await browser.fresh().signIn("email", { email: "ada@users.test", proof: "good" })
    expect(mail.sent).toHaveLength(1)
  })

  test.each(["refuse", "allow", undefined] as const)("when the service is down: %s", async (whenUnavailable) => {
    const verify = () => Promise.reject(new Error("connect ECONNREFUSED"))
    const { browser, mail, log } = await site(mode, { field: "proof", verify, whenUnavailable })
    await browser.signIn("email", { email: "ada@users.test", proof: "good" })
    expect(mail.sent).toHaveLength(whenUnavailable === "allow" ? 1 : 0)
    expect(log.entries.map(({ text }) => text).join("\n")).toContain("The CAPTCHA service can't be asked")
  })

  test("only `true` is a good token", async () => {
    for (const answer of ["yes", 1, {}, undefined] as unknown as readonly boolean[]) {
      const { browser, mail } = await site(mode, { field: "proof", verify: () => answer })
      await browser.signIn("email", { email: "ada@users.test", proof: "good" })
      expect(mail.sent).toHaveLength(0)
    }
  })

  test("isn't asked for if the option leaves it out", async () => {
    const { captcha, asked } = service([], { actions: ["sign-up"], widget: turnstile(keys).widget })
    const { browser, mail } = await site(mode, captcha)
    await browser.signIn("email", { email: "ada@users.test" })
    expect([mail.sent.length, asked]).toEqual([1, []])
    await browser.get("/auth/signin")
    expect(browser.text).not.toContain("cf-turnstile")
  })

  test.each([
    ["Turnstile", turnstile(keys), "https://challenges.cloudflare.com", "cf-turnstile"],
    ["hCaptcha", hcaptcha(keys), "https://hcaptcha.com https://*.hcaptcha.com", "h-captcha"],
  ] as const)("the sign-in page has the widget of %s, and allows its hosts only", async (_, captcha, hosts, name) => {
    const { browser } = await site(mode, captcha)
    const policy = async () => {
      await browser.get("/auth/signin")
      return (browser.response.headers.get("content-security-policy") ?? "").replaceAll(/'nonce-[^']+'/g, "'nonce'")
    }
    const own = await policy()
    expect(browser.text).toContain(`class="captcha ${name}" data-sitekey="site-key" data-action="email"`)
    expect(browser.text).toContain(`<script src="${captcha.widget?.script}" nonce="`)
    expect(browser.text).not.toContain("secret-key")
    const plain = await site(mode, undefined)
    await plain.browser.get("/auth/signin")
    const before = plain.browser.response.headers.get("content-security-policy") ?? ""
    const expected = before
      .replaceAll(/'nonce-[^']+'/g, "'nonce'")
      .replace(/(style-src|script-src) 'nonce'/g, `$1 'nonce' ${hosts}`)
      .replace("; img-src", `; connect-src ${hosts}; frame-src ${hosts}; img-src`)
    expect(own).toBe(expected)
    await browser.get("/auth/error")
    expect(browser.response.headers.get("content-security-policy")).not.toContain(
      name.slice(0, 2) === "cf" ? "cloudflare" : "hcaptcha",
    )
  })
})

describe("the services", () => {
  const ask = async (captcha: Captcha, answer: Response) => {
    const sent: (readonly [string, string])[] = []
    const solved = captcha.verify({
      token: "token",
      ip: "192.0.2.1",
      action: "email",
      request: new Request("https://app.test"),
      fetch: async (url, init) => (sent.push([String(url), String(init?.body)]), answer),
    })
    return { solved: await solved, sent }
  }

  test.each([
    [turnstile(keys), "https://challenges.cloudflare.com/turnstile/v0/siteverify", { action: "email" }],
    [hcaptcha(keys), "https://api.hcaptcha.com/siteverify", {}],
  ] as const)("are asked with the secret, the token and the address", async (captcha, url, more) => {
    const { solved, sent } = await ask(captcha, Response.json({ success: true, ...more }))
    expect(solved).toBe(true)
    expect(sent).toEqual([[url, "secret=secret-key&response=token&remoteip=192.0.2.1"]])
    expect((await ask(captcha, Response.json({ success: false, ...more }))).solved).toBe(false)
    await expect(ask(captcha, new Response("", { status: 502 }))).rejects.toThrow("status 502")
    await expect(ask(captcha, new Response("<html>"))).rejects.toThrow()
  })

  test("a token of Turnstile for another form isn't good", async () => {
    const answer = Response.json({ success: true, action: "sign-up" })
    expect((await ask(turnstile(keys), answer)).solved).toBe(false)
  })
})
