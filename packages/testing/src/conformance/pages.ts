import { formsOf, type PageForm } from "../browser/forms.js"
import type { Browser } from "../browser/model.js"
import { answerOf, arrive, isHeld, json, propertyOf, sectionsOf } from "./person.js"
import { fail, type ModuleCase } from "./subject.js"
import { isOfModule, type Site } from "./site.js"
import { type Tour, tour } from "./tour.js"

export const pages: readonly ModuleCase[] = [
  {
    id: "module.forms",
    name: "pages work without JavaScript: a form has a CSRF token, and leads to a page",
    async run(subject) {
      const { site, person, browser } = await tour(subject)
      for (const { method, isNavigation, url, type } of site.exchanges) {
        if (isNavigation && method === "POST" && isOfModule(site, url) && type.includes("json"))
          fail("The answer to a form is a page or a redirect", `JSON of ${url.pathname}`)
      }
      for (const form of ownForms(site)) await expectChecked(browser, form)
      await expectFields({ site, person })
    },
  },
  {
    id: "module.steps",
    name: "a script gets the same forms as a page",
    async run(subject) {
      const { site, person, browser } = await tour(subject)
      expectSame("account page", await sectionForms(site, browser), accountForms(site, browser))
      const held = await arrive(site, person.user)
      if (!isHeld(held)) return
      const step: unknown = await (await held.fetch("/auth/factor", { headers: json })).json()
      const fields = propertyOf(step, "fields")
      const names = Array.isArray(fields)
        ? fields.filter(isFilled).map((field) => String(propertyOf(field, "name")))
        : []
      expectSame("factor", [names.toSorted()], [fieldNames(factorForm(held))])
      await expectAnswered(held, {
        ...(await later({ site, person })),
        csrfToken: String(propertyOf(step, "csrfToken")),
      })
    },
  },
]

/** A browser sends nothing for an empty box. */
const isFilled = (field: unknown): boolean => propertyOf(field, "type") !== "checkbox"

/** The forms of the module on all pages that were seen, by where they lead. */
function ownForms(site: Site): readonly PageForm[] {
  const all = site.exchanges.filter(({ type }) => type.startsWith("text/html")).flatMap(({ text }) => formsOf(text))
  const own = all.filter(({ action }) => isOwn(site, action))
  return [...new Map(own.map((form) => [form.action, form])).values()]
}

function isOwn(site: Site, action: string): boolean {
  const url = new URL(action, "https://app.test")
  return isOfModule(site, url) && !/^\/auth\/(?:account|factor)$/.test(url.pathname)
}

async function expectChecked(browser: Browser, { action, fields }: PageForm): Promise<void> {
  const { csrfToken, ...rest } = fields
  const { pathname } = new URL(action, browser.origin)
  if (!csrfToken) fail(`The form for ${pathname} has a CSRF token`, "none")
  await browser.post(action, rest)
  const { status } = browser.response
  if (status === 404 || status === 405) fail("A form leads to a route of the module", `${status} from ${pathname}`)
  if (!browser.location.includes("error=MissingCSRF"))
    fail(`${pathname} refuses a form without a CSRF token`, `${status} at ${browser.location}`)
}

/** The form of the factor asks for what is answered, and no script adds to it. */
async function expectFields({ site, person }: Pick<Tour, "site" | "person">): Promise<void> {
  const held = await arrive(site, person.user)
  if (!isHeld(held)) return
  const asked = fieldNames(factorForm(held))
  const missing = Object.keys(await later({ site, person })).filter((name) => !asked.includes(name))
  if (missing.length > 0) fail("The form of the factor has the fields of an answer", `no ${missing.join(", ")}`)
}

async function later({ site, person }: Pick<Tour, "site" | "person">) {
  site.clock.advance({ minutes: 1 })
  return answerOf(site, person)
}

function factorForm({ forms }: Browser): PageForm | undefined {
  return forms.find(({ action }) => action.endsWith("/auth/factor"))
}

function fieldNames(form: PageForm | undefined): readonly string[] {
  return Object.keys(form?.fields ?? {})
    .filter((name) => name !== "csrfToken")
    .toSorted()
}

function accountForms(site: Site, browser: Browser): readonly (readonly string[])[] {
  return browser.forms.filter(({ action }) => isOwn(site, action)).map((form) => [form.action, ...fieldNames(form)])
}

async function sectionForms(site: Site, browser: Browser): Promise<readonly (readonly string[])[]> {
  const blocks = (await sectionsOf(site, browser)).flatMap((section) => section.blocks)
  return blocks.flatMap(({ kind, route = "", fields = {}, values = {} }) => {
    if (kind !== "form") return []
    const filled = Object.entries(fields).flatMap(([name, field]) => (isFilled(field) ? [name] : []))
    const names = [...new Set([...filled, ...Object.keys(values)])].toSorted()
    return [[`${browser.origin}/auth/${site.module.id}/${route}`, ...names]]
  })
}

function expectSame(where: string, steps: readonly (readonly string[])[], forms: readonly (readonly string[])[]): void {
  const [inJson, onPage] = [steps, forms].map((each) => JSON.stringify(each))
  if (inJson !== onPage) fail(`The ${where} has the same fields as JSON and as a page: ${onPage}`, String(inJson))
}

async function expectAnswered(browser: Browser, fields: Readonly<Record<string, string>>): Promise<void> {
  const options = { method: "POST", headers: json, body: new URLSearchParams(fields) }
  const step: unknown = await (await browser.fetch("/auth/factor", options)).json()
  if (propertyOf(step, "status") !== "signed-in")
    fail("A script signs in with a right answer", JSON.stringify(propertyOf(step, "error") ?? step))
}
