import { describe, expect, test } from "vitest"
import { attributes, html, inline } from "./html.js"

describe("a template", () => {
  test("escapes what stands between elements and in quotes", () => {
    const evil = `<b>"&'`
    expect(html`<p title="${evil}">${evil}</p>`.toString()).toBe(
      `<p title="&lt;b&gt;&quot;&amp;&#39;">&lt;b&gt;&quot;&amp;&#39;</p>`,
    )
  })

  test("nests markup as it is, and lists of it", () => {
    const items = ["a", "<"].map((text) => html`<li>${text}</li>`)
    expect(html`<ul>${items}</ul>${undefined}`.toString()).toBe("<ul><li>a</li><li>&lt;</li></ul>")
  })

  test("takes no look-alike for markup", () => {
    const alike = JSON.parse(`{"text":"<b>"}`)
    expect(() => html`<p>${alike}</p>`).toThrow(TypeError)
    expect(() => html`<p>${[alike]}</p>`).toThrow(TypeError)
  })

  test("refuses text inside a tag and outside of quotes", () => {
    expect(() => html`<p ${"onclick=alert(1)"}>`).toThrow(TypeError)
    expect(() => html`<p title=${"a"}>`).toThrow(TypeError)
    expect(() => html`<${"p"}>`).toThrow(TypeError)
  })

  test("refuses markup in quotes and attributes between elements", () => {
    expect(() => html`<p title="${html`<b>`}">`).toThrow(TypeError)
    expect(() => html`<p>${attributes({ id: "a" })}</p>`).toThrow(TypeError)
  })

  test("refuses scripts and styles, where no entity means anything", () => {
    expect(() => html`<script>${"alert(1)"}</script>`).toThrow(TypeError)
    expect(() => html`<STYLE>${"p{}"}</STYLE>`).toThrow(TypeError)
  })
})

describe("attributes", () => {
  const given = (...sources: Record<string, unknown>[]): string => html`<input${attributes(...sources)}>`.toString()

  test("are written when they only describe the field, whatever their spelling", () => {
    expect(given({ minLength: 8, autoComplete: "off", "aria-label": "<", "data-x": true, spellcheck: false })).toBe(
      `<input minlength="8" autocomplete="off" aria-label="&lt;" data-x="true" spellcheck="false">`,
    )
  })

  test("that run, load, navigate or style are left out", () => {
    const names = [
      "onfocus",
      "formaction",
      "src",
      "href",
      "style",
      "class",
      "form",
      "a b",
      "x>",
      `y"`,
      "data-",
      "__proto__",
    ]
    for (const name of names) expect(given(Object.fromEntries([[name, "evil"]]))).toBe("<input>")
  })

  test("that are on or off are written without a value", () => {
    expect(given({ required: true, autofocus: "", disabled: false, checked: undefined })).toBe(
      "<input required autofocus>",
    )
  })

  test("whose value is no text are left out", () => {
    expect(given({ title: {}, value: Symbol("a"), pattern: undefined, max: () => 1, min: null, size: true })).toBe(
      "<input>",
    )
  })

  test("of later sources win, whatever their spelling", () => {
    expect(given({ id: "evil", ID: "evil", NAME: "evil" }, { id: "own", name: "own" })).toBe(
      `<input id="own" name="own">`,
    )
  })
})

test("a style or a script that could end its element is refused", () => {
  expect(inline("style", `a"`, "p{}").toString()).toBe(`<style nonce="a&quot;">p{}</style>`)
  expect(() => inline("script", "a", "</script>")).toThrow(TypeError)
})
