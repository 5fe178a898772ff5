import { describe, expect, test } from "vitest"
import { attributes, html, inline } from "./html.js"

describe("a template", () => {
  test("escapes text between elements and in quotes", () => {
    const evil = `<b>"&'`
    expect(html`<p title="${evil}">${evil}</p>`.toString()).toBe(
      `<p title="&lt;b&gt;&quot;&amp;&#39;">&lt;b&gt;&quot;&amp;&#39;</p>`,
    )
  })

  test("nests HTML and lists of HTML without escaping", () => {
    const items = ["a", "<"].map((text) => html`<li>${text}</li>`)
    expect(html`<ul>${items}</ul>${undefined}`.toString()).toBe("<ul><li>a</li><li>&lt;</li></ul>")
  })

  test("rejects objects that look like HTML", () => {
    const alike = JSON.parse(`{"text":"<b>"}`)
    expect(() => html`<p>${alike}</p>`).toThrow(TypeError)
    expect(() => html`<p>${[alike]}</p>`).toThrow(TypeError)
  })

  test("rejects unquoted text inside a tag", () => {
    expect(() => html`<p ${"onclick=alert(1)"}>`).toThrow(TypeError)
    expect(() => html`<p title=${"a"}>`).toThrow(TypeError)
    expect(() => html`<${"p"}>`).toThrow(TypeError)
  })

  test("rejects HTML in quotes and attributes between elements", () => {
    expect(() => html`<p title="${html`<b>`}">`).toThrow(TypeError)
    expect(() => html`<p>${attributes({ id: "a" })}</p>`).toThrow(TypeError)
  })

  test("rejects scripts and styles, in which browsers don't decode entities", () => {
    expect(() => html`<script>${"alert(1)"}</script>`).toThrow(TypeError)
    expect(() => html`<STYLE>${"p{}"}</STYLE>`).toThrow(TypeError)
  })
})

describe("attributes", () => {
  const given = (...sources: Record<string, unknown>[]): string => html`<input${attributes(...sources)}>`.toString()

  test("on the allowlist are written in lowercase", () => {
    expect(given({ minLength: 8, autoComplete: "off", "aria-label": "<", "data-x": true, spellcheck: false })).toBe(
      `<input minlength="8" autocomplete="off" aria-label="&lt;" data-x="true" spellcheck="false">`,
    )
  })

  test("that run scripts, load resources, navigate or style are skipped", () => {
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

  test("that are boolean have no value", () => {
    expect(given({ required: true, autofocus: "", disabled: false, checked: undefined })).toBe(
      "<input required autofocus>",
    )
  })

  test("with a value that isn't text or a number are skipped", () => {
    expect(given({ title: {}, value: Symbol("a"), pattern: undefined, max: () => 1, min: null, size: true })).toBe(
      "<input>",
    )
  })

  test("of later sources win, ignoring case", () => {
    expect(given({ id: "evil", ID: "evil", NAME: "evil" }, { id: "own", name: "own" })).toBe(
      `<input id="own" name="own">`,
    )
  })
})

test("a style or script that could end its element is rejected", () => {
  expect(inline("style", `a"`, "p{}").toString()).toBe(`<style nonce="a&quot;">p{}</style>`)
  expect(() => inline("style", "a", "</Style>")).toThrow(TypeError)
  expect(inline("script", "a", "if (1 < 2) go()").toString()).toBe(`<script nonce="a">if (1 < 2) go()</script>`)
  for (const text of ["</script>", "</SCRIPT ", "<!-- <script", "'<script>'", "<!--"])
    expect(() => inline("script", "a", text)).toThrow(TypeError)
})
