import fc from "fast-check"
import { expect, test } from "vitest"
import { attributes, html, inline } from "../../src/html/html.js"
import { address, mailbox } from "./addresses.js"
import { maxQuery } from "../../src/limits/of-input.js"
import { holds, patience } from "./holds.js"
import { elementsOf, expectTame } from "./markup.js"
import { origin, sites } from "./site.js"
import { nasty } from "./text.js"

/** Part of every value, so that the value can be found. */
const mark = "q7z"
const marked = fc.oneof(nasty, address, mailbox).map((text) => `${mark}${text}${mark}`)

test(
  "a template contains its values, but none of their markup",
  () =>
    holds(
      fc.property(nasty, nasty, nasty, (text, quoted, attribute) => {
        const page =
          html`<p title="${quoted}"${attributes({ value: attribute, [attribute]: text })}>${text}</p>`.toString()
        const elements = elementsOf(page)
        expect(elements.map(({ name }) => name)).toEqual(["p"])
        const found = elements[0]?.attributes
        expect(found?.get("title")).toBe(quoted)
        expect(found?.get("value")).toBe(attribute)
        for (const name of found?.keys() ?? [])
          expect(name).toMatch(/^(?:title|value|aria-[a-z0-9-]+|data-[a-z0-9-]+|[a-z]+)$/)
        expect(page.slice(page.indexOf(">") + 1, -4).replace(/&(?:amp|lt|gt|quot|#39);/g, "")).not.toMatch(/[<>"'&]/)
      }),
    ),
  patience,
)

test(
  "the content of a script or style cannot end it",
  () =>
    holds(
      fc.property(nasty, (text) => {
        let written = ""
        try {
          written = inline("script", "nonce", text).toString()
        } catch {
          expect(text).toContain("<")
          return
        }
        // In a script, a browser only reads these (HTML §4.12.1.3).
        expect(written.match(/<!--|<\/?script/gi)).toEqual(["<script", "</script"])
      }),
      0.2,
    ),
  patience,
)

const [site] = await sites()
const query = fc.record(
  { error: marked, email: marked, callbackUrl: marked, code: marked, provider: marked, type: marked, token: marked },
  { requiredKeys: ["token"] },
)

test(
  "no page shows text from its URL",
  () =>
    holds(
      fc.asyncProperty(
        fc.constantFrom("signin", "signout", "error", "verify-request", "signin/op", "callback/mail"),
        query,
        async (path, given) => {
          // The page that asks before a link signs in names the account on purpose.
          const email = path === "callback/mail" ? { email: "ada@people.test" } : {}
          const search = new URLSearchParams({ ...given, ...email }).toString()
          const response = await site?.send(new Request(`${origin}/auth/${path}?${search}`))
          if (search.length >= maxQuery) {
            expect(response?.status).toBe(400)
            return
          }
          expect(response?.status).toSatisfy((status) => status < 400 || path === "error")
          expectSilent((await response?.text()) ?? "")
        },
      ),
      0.2,
    ),
  patience,
)

/** The mark may appear in a form field and in a link to the callback URL, and nowhere else. */
function expectSilent(page: string): void {
  for (const { name, attributes: found } of expectTame(page, origin)) {
    for (const [attribute, value] of found)
      if (value.includes(mark)) expect(["input value", "a href"]).toContain(`${name} ${attribute}`)
  }
  expect(page.replace(/<[^>]*>/g, " ")).not.toContain(mark)
}
