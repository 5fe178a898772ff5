import { describe, expect, test } from "vitest"
import { at, hello, html, origin } from "./hand-written-app.js"

describe("forms", () => {
  const page = `<!doctype html>
    <!-- <form action="/commented"></form> -->
    <form method="post" action="/one?x=1&amp;y=2"><input type="hidden" name="csrfToken" value="a&quot;b&#38;&#x26;">
      <input name='email' value="" value="twice"><input type=checkbox name=remember checked><input type="checkbox" name="not">
      <input name="off" value="1" disabled><textarea name="note">hi</textarea>
      <button name="go" value="first">Go</button><button name="go" value="second">Other</button></form>
    <form id="search" action="/search"><input name="q" value="1"></form>`

  test("are parsed from the page", async () => {
    const { browser } = at({ "GET /": () => html(page) })
    await browser.get("/")
    expect(browser.forms).toMatchObject([
      {
        action: "/one?x=1&y=2",
        method: "POST",
        fields: { csrfToken: 'a"b&&', email: "", remember: "on", note: "hi", go: "first" },
      },
      { action: "/search", method: "GET", id: "search", fields: { q: "1" } },
    ])
    expect(Object.keys(browser.forms[0]?.fields ?? {})).toEqual(["csrfToken", "email", "remember", "note", "go"])
  })

  test("are submitted by number, id or action, with the given values", async () => {
    const { browser, seen } = at({ "GET /": () => html(page), "POST /one": hello, "GET /search": hello })
    await browser.get("/")
    await browser.submitForm(0, { email: "ada@example.test" })
    expect(seen.at(-1)?.url).toBe(`${origin}/one?x=1&y=2`)
    expect(seen.at(-1)?.headers.get("origin")).toBe(origin)
    expect(new URLSearchParams(await seen.at(-1)?.text()).get("email")).toBe("ada@example.test")
    await browser.get("/")
    await browser.submitForm("search", { q: "x y" })
    expect(browser.location).toBe(`${origin}/search?q=x+y`)
    await browser.get("/")
    await browser.submitForm("/one")
    expect(seen.at(-1)?.method).toBe("POST")
  })

  test("are encoded as the form says", async () => {
    const form = `<form method="post" enctype="Multipart/Form-Data" action="/one"><input name="$A:0" value="[&quot;x&quot;]"></form>`
    const { browser, seen } = at({ "GET /": () => html(form), "POST /one": hello })
    await browser.get("/")
    await browser.submitForm(0, { note: "two\nlines --" })
    expect(Object.fromEntries((await seen.at(-1)?.formData()) ?? [])).toEqual({
      "$A:0": '["x"]',
      note: "two\r\nlines --",
    })
  })

  test("that don't exist cause an error that lists the forms on the page", async () => {
    const { browser } = at({ "GET /": () => html(page) })
    await browser.get("/")
    await expect(browser.submitForm("signin")).rejects.toThrow('The actions of its forms: "/one?x=1&y=2", "/search".')
  })

  test("that submit themselves are same-origin requests", async () => {
    const auto = `<form method="post" action="/next"><input type="hidden" name="handle" value="1"></form>
      <script nonce="x">document.forms[0].submit()</script>`
    const { browser, seen } = at({ "POST /callback": () => html(auto), "POST /next": hello })
    await browser.post("/callback", {}, { from: "https://op.test" })
    expect(browser.text).toBe("hello")
    expect(seen.map(({ headers }) => headers.get("sec-fetch-site"))).toEqual(["cross-site", "same-origin"])
  })

  test("aren't needed to follow a refresh", async () => {
    const refresh = `<meta http-equiv="refresh" content="0; url=/next?a=1&amp;b=2">`
    const { browser } = at({ "GET /": () => html(refresh), "GET /next": hello })
    await browser.get("/")
    expect(browser.location).toBe(`${origin}/next?a=1&b=2`)
  })
})
