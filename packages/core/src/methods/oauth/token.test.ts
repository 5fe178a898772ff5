import { describe, expect, test } from "vitest"
import { brief, checkTokens, tokenBody } from "./token.js"

const rules = { as: { issuer: "https://op.test" }, client: { client_id: "app" } }
const check = (body: Record<string, unknown>) =>
  checkTokens({ access_token: "secret-at", token_type: "Bearer", ...body }, rules)
const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })

describe("the body of a token answer", () => {
  test("may be a form", async () => {
    const form = new Response("access_token=at&scope=a+b", {
      headers: { "content-type": "application/x-www-form-urlencoded" },
    })
    expect(await tokenBody(form)).toEqual({ access_token: "at", scope: "a b" })
  })

  test("is refused with the provider's reason when it is an error, whatever the status says", async () => {
    const reason = { error: "bad_code", error_description: "too\r\nlate" }
    for (const status of [200, 400]) {
      const refusal = await tokenBody(json(reason, status)).catch((error: unknown) => error)
      expect(refusal).toMatchObject({ details: { status, error: "bad_code", error_description: "too late" } })
    }
  })

  test.each([
    ["a page", new Response("<html>", { headers: { "content-type": "text/html" } }), "not a JSON object"],
    ["a list", json([]), "not a JSON object"],
    ["another status than 200", json({ access_token: "at", token_type: "bearer" }, 201), "did not give tokens"],
    ["an empty body", new Response(""), "not a JSON object"],
  ])("is refused when it is %s", async (_, response, reason) => {
    await expect(tokenBody(response)).rejects.toThrow(reason)
  })

  test("is never quoted in an error", async () => {
    const error = await tokenBody(new Response("secret-token")).catch((thrown: unknown) => thrown)
    expect(String(error)).not.toContain("secret-token")
  })
})

describe("tokens", () => {
  test.each([
    ["a missing type", { token_type: undefined }, { token_type: "bearer" }],
    ["a shouted type", { token_type: "BEARER" }, { token_type: "bearer" }],
    ["a list of scopes", { scope: ["a", "b"] }, { scope: "a b" }],
    ["a lifetime as text", { expires_in: "3600" }, { expires_in: 3600 }],
    ["a moment of expiry as text", { expires_at: "1700000000" }, { expires_at: 1_700_000_000 }],
    ["an ID token that nobody asked for", { id_token: "opaque" }, { id_token: "opaque" }],
    ["a field of the service's own", { team: { id: 1 } }, { team: { id: 1 } }],
  ])("are accepted with %s", async (_, body, expected) => {
    expect(await check(body)).toMatchObject(expected)
  })

  test.each([
    ["scope", { scope: null }],
    ["refresh_token", { refresh_token: null }],
    ["expires_at", { expires_at: "soon" }],
    ["id_token", { id_token: null }],
  ])("come without %s when it says nothing", async (name, body) => {
    expect(await check(body)).not.toHaveProperty(name)
  })

  test.each([
    [{ access_token: "" }, "access_token"],
    [{ access_token: 1 }, "access_token"],
    [{ token_type: "mac" }, "token_type"],
    [{ expires_in: -1 }, "expires_in"],
    [{ expires_in: 1e20 }, "expires_in"],
    [{ expires_in: "abc" }, "expires_in"],
    [{ expires_in: "" }, "expires_in"],
    [{ expires_in: null }, "expires_in"],
    [{ refresh_token: {} }, "refresh_token"],
    [{ scope: {} }, "scope"],
  ])("are refused with %j", async (body, reason) => {
    await expect(check(body)).rejects.toThrow(reason)
  })
})

test("words of a provider are cut and cleaned for the log", () => {
  expect(brief(`a\u001b[31m\nb${"x".repeat(999)}`)).toMatch(/^a \[31m bx{292}$/)
})
