import { expect } from "vitest"
import type { Browser } from "@latchkey/testing"
import { behavior } from "../behavior.js"
import type { Site } from "../site.js"
import { cookiesOf, environments, password, sessionCookies, signedIn, stackTrace } from "../steps.js"

type Headers = Readonly<Record<string, string>>

const { database, strict } = environments

const types = [
  "application/x-www-form-urlencoded",
  "APPLICATION/X-WWW-FORM-URLENCODED; charset=utf-8",
  "text/plain",
  "multipart/form-data; boundary=x",
  "application/json",
  undefined,
]

/** Browsers send `Origin` with every form. */
const crossSite: readonly Headers[] = [
  { origin: "https://evil.test" },
  { origin: "https://evil.test", "sec-fetch-site": "cross-site" },
  { origin: "null", "sec-fetch-site": "cross-site" },
]

const siblings: readonly Headers[] = [
  { origin: "http://evil.localhost", "sec-fetch-site": "same-site" },
  { origin: "http://localhost:1", "sec-fetch-site": "same-site" },
  { origin: "http://evil.localhost" },
]

const user = { email: "mallory@users.test", password }
const fields = { ...user, name: "Mallory", csrfToken: "1", callbackUrl: "/account" }

/** With the prefix that some frameworks need. */
const prefixed = { "options.email": user.email, "options.password": password }

/** A form that another site sends. */
interface Forgery {
  readonly path: string
  /** Those that a script of the framework sends. */
  readonly headers?: Headers
  readonly fields: Readonly<Record<string, string>>
}

/** Sends forms with the cookies of a user, and expects that none changes anything. */
async function expectNoEffect(
  site: Site,
  browser: Browser,
  forgeries: readonly Forgery[],
  senders: readonly Headers[],
) {
  const before = await browser.session()
  const cookie = cookiesOf(browser)
  const mails = site.services.links.length
  await site.calls()
  for (const { path, headers: own, fields } of forgeries) {
    for (const type of types) {
      for (const sender of senders) {
        const headers = { cookie, ...own, ...(type === undefined ? {} : { "content-type": type }), ...sender }
        const response = await site.send(path, { method: "POST", headers, body: bodyOf(type, fields) })
        const what = `${path} ${JSON.stringify({ type, ...sender })} ${response.status}`
        const set = response.headers.getSetCookie().filter((line) => /session-token|state|pkce/.test(line))
        expect(set, what).toEqual([])
        expect(response.text, what).not.toMatch(stackTrace)
      }
    }
  }
  const changes = (await site.calls()).filter((call) => /^(?:create|delete|update|use|link)/.test(call))
  expect(changes).toEqual([])
  expect(site.services.links).toHaveLength(mails)
  expect(await browser.session()).toEqual(before)
}

function bodyOf(type: string | undefined, fields: Readonly<Record<string, string>>): string {
  if (type === "application/json") return JSON.stringify(fields)
  if (type?.startsWith("multipart") !== true) return new URLSearchParams(fields).toString()
  const parts = Object.entries(fields).map(
    ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return `${parts.join("")}--x--\r\n`
}

/** The auth routes that change something. */
function routes(site: Site): readonly Forgery[] {
  const paths = ["signout", "signin/email", "signin/op", "callback/credentials", "session"]
  return paths.map((path) => ({ path: `${site.basePath}/${path}`, fields }))
}

/** The application's own forms, with the fields that the framework adds, and as its script sends them. */
async function ownForms({ framework: { script } }: Site, browser: Browser): Promise<readonly Forgery[]> {
  const found = new Array<Forgery>()
  for (const [page, id] of [
    ["/", "sign-out"],
    ["/account", "rename"],
    ["/sign-in", "password"],
  ] as const) {
    await browser.get(page)
    const form = browser.forms.find((form) => form.id === id)
    expect(form, `${page} has a form with the id ${id}`).toBeDefined()
    const { pathname, search } = new URL(form?.action || browser.location, browser.location)
    const sent = { path: pathname + search, fields: { ...fields, ...form?.fields, ...only(id) } }
    found.push(sent)
    if (script !== undefined)
      found.push({ ...sent, path: script.path?.(sent.path) ?? sent.path, headers: script.headers ?? {} })
  }
  return found
}

/** The fields that a user fills in. */
function only(id: "sign-out" | "rename" | "password"): Readonly<Record<string, string>> {
  if (id === "rename") return { name: "Mallory" }
  return id === "password" ? { ...user, ...prefixed } : {}
}

export const attacks = [
  behavior({
    id: "csrf.routes",
    title: "a form of another site changes nothing at any auth route",
    needs: "http",
    env: database,
    async run(site) {
      const browser = await signedIn(site)
      await expectNoEffect(site, browser, routes(site), [...crossSite, { "sec-fetch-site": "cross-site" }])
    },
  }),
  behavior({
    id: "csrf.own-forms",
    title: "a form of another site that copies the application's forms changes nothing",
    needs: "http",
    async run(site) {
      const browser = await signedIn(site)
      await expectNoEffect(site, browser, await ownForms(site, browser), crossSite)
    },
  }),
  behavior({
    id: "csrf.same-site",
    title: "a form of a sibling domain changes nothing at the auth routes and the application's forms",
    needs: "http",
    async run(site) {
      const browser = await signedIn(site)
      await expectNoEffect(site, browser, [...routes(site), ...(await ownForms(site, browser))], siblings)
    },
  }),
  behavior({
    id: "csrf.strict",
    title:
      'with `security: "strict"`, a form of another site changes nothing at the auth routes and the application\'s forms',
    needs: "http",
    env: strict,
    async run(site) {
      const browser = await signedIn(site)
      await expectNoEffect(site, browser, [...routes(site), ...(await ownForms(site, browser))], crossSite)
    },
  }),
  behavior({
    id: "csrf.signed-out",
    title: "another site can't sign a visitor in",
    needs: "http",
    env: database,
    async run(site) {
      const browser = site.browse()
      await browser.get("/sign-in")
      const form = browser.forms.find(({ id }) => id === "password")
      const own = new URL(form?.action || browser.location, browser.location)
      for (const url of [own.pathname + own.search, `${site.basePath}/callback/credentials`]) {
        await browser.post(url, { ...form?.fields, ...fields, ...prefixed }, { from: "https://evil.test/" })
        expect(
          browser.trail.flatMap(({ headers }) => sessionCookies(headers)),
          url,
        ).toEqual([])
        expect(await browser.session(), url).toBeNull()
      }
    },
  }),
]
