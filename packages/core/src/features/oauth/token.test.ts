import { describe, expect, test } from "vitest"
import { brief } from "./guarded-fetch.js"
import { checkTokens, tokenBody } from "./token.js"

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
    ["another status than 200", json({ access_token: "at", token_type: "bearer" }, 201), "returned no tokens"],
    ["an empty body", new Response(""), "not a JSON object"],
  ])("is refused when it is %s", async (_, response, reason) => {
    await expect(tokenBody(response)).rejects.toThrow(reason)
  })

  const form = "application/x-www-form-urlencoded"
  const answer = (text: string, type: string, status = 200) =>
    new Response(new TextEncoder().encode(text), { status, headers: type === "" ? {} : { "content-type": type } })

  test.each<[string, string, object]>([
    ["a=1&b=2", `${form};charset=utf-8`, { a: "1", b: "2" }],
    ["a=1", "text/plain; charset=utf-8", { a: "1" }],
    ['{"a":1}', "text/plain", { a: 1 }],
    ['{"a":"=1"}', form, { a: "=1" }],
    [' {"a":1}', "", { a: 1 }],
    ['{"error":""}', "application/json", { error: "" }],
  ])("%j of the type %j is read as %j", async (text, type, expected) => {
    expect(await tokenBody(answer(text, type))).toEqual(expected)
  })

  test.each([
    ["a=1", "application/json"],
    ["a=1", `x-${form}`],
    ["a=1", "text/plainly"],
    ["a=1", ""],
    ["=1", form],
    ["", form],
  ])("%j of the type %j is not read", async (text, type) => {
    await expect(tokenBody(answer(text, type))).rejects.toThrow("The token response is not a JSON object")
  })

  test.each<[string, string, number, object]>([
    ["error=no&error_description=late", form, 400, { status: 400, error: "no", error_description: "late" }],
    ["error=no", form, 200, { status: 200, error: "no" }],
    ['\n{"error":{"message":"no","code":7}}', "application/json", 400, { status: 400, error: "no" }],
    ['{"error":7,"error_description":""}', "application/json", 200, { status: 200, error: "7" }],
    ['{"error":["no"]}', "application/json", 200, { status: 200, error: "no" }],
    ["{}", "application/json", 500, { status: 500 }],
    ["<html>", "text/html", 502, { status: 502 }],
    ["error=no", "text/html", 502, { status: 502 }],
    ["", "", 401, { status: 401 }],
  ])("%j of the type %j with status %i is a refusal", async (text, type, status, details) => {
    const refusal = await tokenBody(answer(text, type, status)).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ message: "The token endpoint returned no tokens" })
    expect(refusal).toHaveProperty("details", details)
  })

  test("that is a broken refusal is no JSON object", async () => {
    await expect(tokenBody(answer(" {", "application/json", 400))).rejects.toThrow("is not a JSON object")
  })

  test("hides what is secret in the words of a refusal", async () => {
    const reason = { error: "code-7 and key-8 and code-7", error_description: "for key-8" }
    const refusal = await tokenBody(json(reason, 400), ["code-7", "key-8"]).catch((error: unknown) => error)
    const words = { error: "[redacted] and [redacted] and [redacted]", error_description: "for [redacted]" }
    expect(refusal).toMatchObject({ details: words })
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
    ["a lifetime of nothing", { expires_in: 0 }, { expires_in: 0 }],
    ["a lifetime as text with space", { expires_in: " 60 " }, { expires_in: 60 }],
    ["the longest lifetime", { expires_in: 1e11 - 1 }, { expires_in: 1e11 - 1 }],
    ["a moment of expiry as text", { expires_at: "1700000000" }, { expires_at: 1_700_000_000 }],
    ["a moment of expiry", { expires_at: 1_700_000_000 }, { expires_at: 1_700_000_000 }],
    ["a scope", { scope: "a b" }, { scope: "a b" }],
    ["a refresh token", { refresh_token: "rt" }, { refresh_token: "rt" }],
    ["an ID token that wasn't requested", { id_token: "opaque" }, { id_token: "opaque" }],
    ["a field of the provider's own", { team: { id: 1 } }, { team: { id: 1 } }],
  ])("are accepted with %s", async (_, body, expected) => {
    expect(await check(body)).toMatchObject(expected)
  })

  test.each([
    ["scope", { scope: null }],
    ["refresh_token", { refresh_token: null }],
    ["scope", {}],
    ["refresh_token", {}],
    ["expires_in", {}],
    ["expires_at", {}],
    ["expires_at", { expires_at: "soon" }],
    ["expires_at", { expires_at: null }],
    ["expires_at", { expires_at: " " }],
    ["expires_at", { expires_at: "Infinity" }],
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
    [{ expires_in: 1e11 }, "The `expires_in` of the token response isn't a number of seconds"],
    [{ expires_in: "-1" }, "expires_in"],
    [{ expires_in: " " }, "expires_in"],
    [{ expires_in: true }, "expires_in"],
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
