import { createFlow } from "@latchkey/client/flow"
import { createAuthClient } from "@latchkey/client"
import { describe, expect, test } from "vitest"
import { flowSite, op, origin } from "./flow-setup.js"

const good = { name: "ada", password: "open sesame" }
const ada = "ada@example.test"

describe("a flow", () => {
  test("lists the methods, and the text for an error in the URL of the page", async () => {
    const { flow, errors } = flowSite()
    const step = await flow.methods({ callbackUrl: "/inbox", error: "OAuthAccountNotLinked" })
    if (step.status === "error") throw new Error(step.error.message)
    expect(step.callbackUrl).toBe(`${origin}/inbox`)
    expect(step.methods.map(({ id, type }) => `${id} ${type}`)).toEqual([
      "op oidc",
      "mail email",
      "passkey webauthn",
      "credentials credentials",
    ])
    expect(step.error?.message).toMatch(/^To confirm your identity/)
    expect((await flow.error("AccessDenied")).message).toBe("You don't have permission to sign in.")
    expect(errors).toEqual([])
  })

  test("signs in with a password, and the client has the session", async () => {
    const { flow, client } = flowSite()
    expect(await flow.password(good, { redirectTo: "/inbox" })).toEqual({ status: "signed-in", url: `${origin}/inbox` })
    expect(client.getSnapshot()).toMatchObject({ status: "authenticated", data: { user: { name: "ada" } } })
    expect(await flow.signOut({ redirectTo: "/bye" })).toEqual({ status: "signed-out", url: `${origin}/bye` })
    expect(client.getSnapshot().status).toBe("unauthenticated")
  })

  test("takes the fields of a form", async () => {
    const { flow } = flowSite()
    const form = new FormData()
    for (const [name, value] of Object.entries(good)) form.set(name, value)
    form.set("photo", new Blob(["x"]))
    expect((await flow.password(form)).status).toBe("signed-in")
  })

  test("resolves to the refusal of a wrong password, and reads no session", async () => {
    const { flow, paths, errors } = flowSite()
    const step = await flow.password({ ...good, password: "guess" }, { provider: "credentials" })
    expect(step).toMatchObject({ status: "error", error: { code: "CredentialsSignin", reason: "credentials" } })
    expect(paths).toEqual(["/auth/csrf", "/auth/callback/credentials"])
    expect(errors).toEqual([])
  })

  test("sends an email, shows it again, and signs in with its code", async () => {
    const { flow, sent, client } = flowSite()
    const step = await flow.email(ada, { redirectTo: "/inbox" })
    expect(step).toMatchObject({
      status: "email-sent",
      email: ada,
      provider: "mail",
      code: { length: 6, digits: true },
    })
    const wrong = await flow.code("not it")
    expect(wrong).toMatchObject({ status: "error", error: { code: "Verification", field: "code" } })
    expect(await flow.code(sent[0]?.code ?? "")).toEqual({ status: "signed-in", url: `${origin}/inbox` })
    expect(client.getSnapshot()).toMatchObject({ data: { user: { email: ada } } })
  })

  test("refuses what isn't an email at its field", async () => {
    const step = await flowSite().flow.email("ada")
    expect(step).toMatchObject({ status: "error", error: { code: "EmailSignin", field: "email" } })
  })

  test("returns the URL of a provider, and follows it", async () => {
    const { flow, went } = flowSite()
    const step = await flow.oauth("op", { redirectTo: "/inbox" })
    expect(step.status).toBe("redirect")
    expect(step.url.startsWith(op.issuer)).toBe(true)
    flow.follow(step)
    expect(went).toEqual([step.url])
  })

  test("never follows a URL that runs a script", () => {
    const { flow, went } = flowSite()
    flow.follow({ url: "javascript:alert(1)" })
    expect(went).toEqual([])
  })

  test("says that a provider doesn't exist", async () => {
    const { flow } = flowSite()
    for (const step of [await flow.oauth("unknown"), await flow.password(good, { provider: "../signout" })])
      expect(step).toMatchObject({ status: "error", error: { code: "InvalidProvider" } })
  })

  test("has no passkeys outside of a browser", async () => {
    const { flow } = flowSite()
    for (const step of [await flow.passkey(), await flow.passkey({ autofill: true }), await flow.createPasskey()])
      expect(step).toMatchObject({ status: "error", error: { code: "NotSupportedError" } })
  })

  test("reports how long to wait after too many attempts", async () => {
    const limits = { credentials: { identifier: { points: 1, seconds: 90 } } }
    const { flow } = flowSite({ rateLimit: { limits } })
    await flow.password({ ...good, password: "guess" })
    const step = await flow.password(good)
    expect(step).toMatchObject({ status: "error", error: { code: "RateLimited", retryAfter: expect.any(Number) } })
  })
})

describe("without a server, no function throws:", () => {
  test.each([
    ["methods", (its: ReturnType<typeof flowSite>) => its.flow.methods()],
    ["password", (its: ReturnType<typeof flowSite>) => its.flow.password(good)],
    ["email", (its: ReturnType<typeof flowSite>) => its.flow.email(ada)],
    ["emailSent", (its: ReturnType<typeof flowSite>) => its.flow.emailSent()],
    ["code", (its: ReturnType<typeof flowSite>) => its.flow.code("123456")],
    ["factor", (its: ReturnType<typeof flowSite>) => its.flow.factor()],
    ["answerFactor", (its: ReturnType<typeof flowSite>) => its.flow.answerFactor({})],
    ["oauth", (its: ReturnType<typeof flowSite>) => its.flow.oauth("op")],
    ["signOut", (its: ReturnType<typeof flowSite>) => its.flow.signOut()],
  ])("%s", async (_, act) => {
    const its = flowSite()
    its.disconnect()
    const step = await act(its)
    expect(step).toEqual({
      status: "error",
      error: { code: "ClientFetchError", message: "The server didn't respond. Check your connection and try again." },
      url: "",
    })
    expect(its.errors.length).toBeGreaterThan(0)
  })

  test.each<[name: string, answer: () => Response]>([
    ["HTML", () => new Response("<html>", { status: 502 })],
    ["another step", () => Response.json({ status: "methods", methods: [] })],
    ["an error without a text", () => Response.json({ status: "error" }, { status: 400 })],
    ["null", () => Response.json(null)],
    ["429 of a proxy", () => new Response("slow down", { status: 429 })],
  ])("a response that isn't a step of a sign-in (%s) is an error", async (name, answer) => {
    const client = createAuthClient({ baseUrl: origin, fetch: async () => answer(), onError() {} })
    const step = await createFlow(client).password(good, { provider: "credentials" })
    const code = name === "429 of a proxy" ? "RateLimited" : "ClientFetchError"
    expect(step).toMatchObject({ status: "error", error: { code, message: expect.any(String) }, url: "" })
  })
})
