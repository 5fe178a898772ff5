import { type Authenticator, faults, type FakeProvider, type FaultName } from "@latchkey/testing"
import type { Application } from "./application.js"
import { type Browser, createBrowser, send, type Sending } from "./browser.js"
import { nameOf, roleOf } from "./cookies.js"
import type { Engine } from "./engines.js"
import { type Observation, observe } from "./observe.js"
import { answerTo } from "./passkey.js"
import type { CsrfField, Outcome, Step } from "./plan.js"

/** One library, and the browsers that visit it. */
export interface Stage {
  readonly application: Application
  readonly engine: Engine
  readonly op: FakeProvider
  readonly secrets: readonly string[]
  readonly browsers: Map<number, Browser>
  readonly authenticators: Map<number, Authenticator>
}

type Of<Kind extends Step["do"]> = Extract<Step, { do: Kind }>

/** Performs one step and returns what could be observed, one entry for each request. */
export async function perform(stage: Stage, step: Step): Promise<readonly Observation[]> {
  if (step.do === "wait") return []
  if (step.do !== "tamper") return await request(stage, step)
  tamper(stage, step)
  return []
}

async function request(stage: Stage, step: Exclude<Step, Of<"tamper" | "wait">>): Promise<readonly Observation[]> {
  switch (step.do) {
    case "get":
      return [await exchange(stage, step.browser, getting(stage, step))]
    case "post":
      return await post(stage, step)
    case "submit":
      return await submit(stage, step)
    case "return":
      return await returnFromProvider(stage, step)
    case "open link":
      return await openLink(stage, step)
    case "update":
      return await update(stage, step)
    case "auth":
      return await readSession(stage, step)
    case "passkey":
      return await usePasskey(stage, step)
  }
}

function browserOf({ browsers }: Stage, index: number): Browser {
  const browser = browsers.get(index) ?? createBrowser()
  browsers.set(index, browser)
  return browser
}

export function baseOf({ plan }: Application): string {
  return plan.origin + (plan.basePath ?? (plan.framework === "next" ? "/api/auth" : "/auth"))
}

async function exchange(stage: Stage, index: number, sending: Sending, engine: Pick<Engine, "handle"> = stage.engine) {
  const browser = browserOf(stage, index)
  const { application, secrets } = stage
  const sent = await send(browser, engine, sending)
  const location = sent.response.headers.get("location") ?? urlIn(sent.text)
  if (location?.startsWith(stage.op.issuer) === true) browser.authorization = location
  browser.resume = sending.method === "POST" ? sameRoute(location, sending.url) : undefined
  const recorded = application.recorder.take()
  return await observe({ ...sent, jar: browser.jar, plan: application.plan, secrets, recorded })
}

/** The target of a redirect to the same path. */
function sameRoute(location: string | undefined, from: string): string | undefined {
  if (location === undefined || !URL.canParse(location, from)) return undefined
  const target = new URL(location, from)
  return target.pathname === new URL(from).pathname ? target.href : undefined
}

/** The target of a redirect that a script asked to get as JSON. */
function urlIn(text: string): string | undefined {
  return /^\{"url":"([^"]+)"\}$/.exec(text)?.[1]
}

function getting({ application }: Stage, { path, method = "GET", json }: Of<"get">): Sending {
  return { method, url: baseOf(application) + path, headers: returning(json) }
}

function returning(json: boolean | undefined): Readonly<Record<string, string>> {
  return json === true ? { "x-auth-return-redirect": "1" } : {}
}

async function post(stage: Stage, step: Of<"post">): Promise<readonly Observation[]> {
  const csrf = await csrfFor(stage, step.browser, step.csrf)
  const fields = { ...csrf.fields, ...step.fields }
  const sending = {
    method: "POST",
    url: baseOf(stage.application) + step.path,
    ...bodyOf(fields, step.body),
    bare: step.bare,
  }
  const referer = step.bare === true ? {} : { referer: `${stage.application.plan.origin}/page?tab=2` }
  const headers = { ...sending.headers, ...returning(step.json), ...referer }
  return [...csrf.observations, await exchange(stage, step.browser, { ...sending, headers })]
}

function bodyOf(fields: Readonly<Record<string, unknown>>, kind: "form" | "json" | "text" = "form") {
  const form = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)])).toString()
  const types = { form: "application/x-www-form-urlencoded", json: "application/json", text: "text/plain" }
  return { body: kind === "json" ? JSON.stringify(fields) : form, headers: { "content-type": types[kind] } }
}

/** Gets a CSRF token as a custom sign-in page does. */
async function csrfFor(stage: Stage, browser: number, kind: CsrfField) {
  if (kind === "missing") return { fields: {}, observations: [] }
  if (kind === "wrong") return { fields: { csrfToken: "0".repeat(64) }, observations: [] }
  const { handle } = stage.engine
  let text = ""
  const listening = {
    handle: async (request: Request) => {
      const response = await handle(request)
      text = await response.clone().text()
      return response
    },
  }
  const url = `${baseOf(stage.application)}/csrf`
  const observation = await exchange(stage, browser, { method: "GET", url }, listening)
  const csrfToken = /"csrfToken":"([^"]*)"/.exec(text)?.[1]
  return { fields: csrfToken === undefined ? {} : { csrfToken }, observations: [observation] }
}

/** Opens a page of the library and submits the form of a provider, with all its hidden fields. */
async function submit(stage: Stage, step: Of<"submit">): Promise<readonly Observation[]> {
  const { browser, page, provider } = step
  let html = ""
  const { handle } = stage.engine
  const reading = {
    handle: async (request: Request) => {
      const response = await handle(request)
      html = await response.clone().text()
      return response
    },
  }
  const opened = await exchange(stage, browser, { method: "GET", url: baseOf(stage.application) + page }, reading)
  const { plan } = stage.application
  if (plan.pages?.["signIn"] !== undefined) return [opened, ...(await submitOwnPage(stage, step, opened))]
  const form = formFor(html, provider)
  if (form === undefined) return [opened]
  const { body, headers } = bodyOf({ ...form.fields, ...filledIn(step) })
  const url = new URL(form.action, baseOf(stage.application)).href
  const referer = baseOf(stage.application) + page
  return [opened, await exchange(stage, browser, { method: "POST", url, body, headers: { ...headers, referer } })]
}

/** A sign-in page of the application, whose form has no callback URL. */
async function submitOwnPage(stage: Stage, step: Of<"submit">, { location }: Observation) {
  const { browser, provider } = step
  const { plan } = stage.application
  const type = plan.providers.find(({ id }) => id === provider)?.type
  if (location?.startsWith(plan.origin) !== true || type === undefined) return []
  const csrf = await csrfFor(stage, browser, "valid")
  const url = `${baseOf(stage.application)}/${type === "credentials" ? "callback" : "signin"}/${provider}`
  const { body, headers } = bodyOf({ ...csrf.fields, ...filledIn(step) })
  const sending = { method: "POST", url, body, headers: { ...headers, referer: location } }
  return [...csrf.observations, await exchange(stage, browser, sending)]
}

function filledIn({ email = "ada@example.test" }: Of<"submit">) {
  return { email, username: "ada", password: "secret" }
}

function formFor(html: string, provider: string) {
  const forms = [...html.matchAll(/<form[^>]*?\baction="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)]
  const found = forms.find(([, action = ""]) => action.endsWith(`/${provider}`))
  if (found === undefined) return undefined
  const [, action = "", content = ""] = found
  const inputs = [...content.matchAll(/<input[^>]*type="hidden"[^>]*name="([^"]*)"[^>]*value="([^"]*)"/g)]
  const fields = Object.fromEntries(inputs.map(([, name = "", value = ""]) => [name, value.replaceAll("&amp;", "&")]))
  return { action, fields }
}

/** Decides at the provider and follows its answer. Without a sign-in in progress, opens the callback by hand. */
async function returnFromProvider(stage: Stage, { browser: index, outcome }: Of<"return">) {
  const browser = browserOf(stage, index)
  const callback = await callbackFor(stage, browser, outcome)
  if (callback === undefined) return []
  browser.callback = callback
  const stop = stage.op.inject(...faultsFor(outcome))
  const { url, fields } = callback
  const sending = fields === undefined ? { method: "GET" } : { method: "POST", ...bodyOf(fields) }
  try {
    const response = await exchange(stage, index, { ...sending, url, crossSite: true })
    return [await resumed(stage, index, response)]
  } finally {
    stop()
  }
}

/** Latchkey may repeat the callback, so that the request comes from the site itself and has the session cookie. */
async function resumed(stage: Stage, index: number, response: Observation): Promise<Observation> {
  const { resume } = browserOf(stage, index)
  return resume === undefined ? response : await exchange(stage, index, { method: "GET", url: resume })
}

async function callbackFor({ op }: Stage, browser: Browser, outcome: Outcome): Promise<Browser["callback"]> {
  if (outcome === "replay" || browser.authorization === undefined) return browser.callback
  const user = outcome === "grace" || outcome === "mallory" ? outcome : "ada"
  const consent = outcome === "denied" ? { error: "access_denied" } : { as: user }
  const stop = op.inject(...(isFault(outcome) ? faultsFor(outcome) : []))
  const answer = await op.authorize(browser.authorization, consent).finally(stop)
  if (answer.method === "POST") return { url: answer.action, fields: answer.fields }
  const url = new URL(answer.location)
  if (outcome === "wrong state") url.searchParams.set("state", "wrong")
  if (outcome === "no code") url.searchParams.delete("code")
  return { url: url.href }
}

function isFault(outcome: Outcome): outcome is Outcome & FaultName {
  return outcome in faults
}

function faultsFor(outcome: Outcome) {
  return isFault(outcome) ? [faults[outcome]] : []
}

async function openLink(stage: Stage, { browser, change }: Of<"open link">): Promise<readonly Observation[]> {
  const link = stage.application.recorder.links.at(-1)
  if (link === undefined) return []
  const url = new URL(link)
  if (change === "token") url.searchParams.set("token", "wrong")
  if (change === "no token") url.searchParams.delete("token")
  if (change === "email") url.searchParams.set("email", "mallory@example.test")
  return [await exchange(stage, browser, { method: "GET", url: url.href })]
}

async function update(stage: Stage, { browser, data, csrf: kind }: Of<"update">): Promise<readonly Observation[]> {
  const csrf = await csrfFor(stage, browser, kind)
  const url = `${baseOf(stage.application)}/session`
  const sending = { method: "POST", url, ...bodyOf({ ...csrf.fields, data }, "json") }
  return [...csrf.observations, await exchange(stage, browser, sending)]
}

async function readSession(stage: Stage, { browser, as }: Of<"auth">): Promise<readonly Observation[]> {
  const { auth } = stage.engine
  if (auth === undefined) return []
  const url = `${stage.application.plan.origin}/page?tab=2`
  return [await exchange(stage, browser, { method: "GET", url }, { handle: (request) => auth(request, as) })]
}

/** Gets options as the scripts of both libraries do, and sends what the authenticator answers. */
async function usePasskey(stage: Stage, step: Of<"passkey">): Promise<readonly Observation[]> {
  const { action, email, provider } = step
  const base = baseOf(stage.application)
  const query = new URLSearchParams({ ...(action && { action }), ...(email && { email }) }).toString()
  const { handle } = stage.engine
  let text = ""
  const listening = {
    handle: async (request: Request) => {
      const response = await handle(request)
      text = await response.clone().text()
      return response
    },
  }
  const url = `${base}/webauthn-options/${provider}${query && `?${query}`}`
  const begun = await exchange(stage, step.browser, { method: "GET", url }, listening)
  const { authenticators, application } = stage
  const { origin } = application.plan
  const surroundings = { browser: browserOf(stage, step.browser), authenticators, origin }
  const response = await answerTo(text, step, surroundings)
  if (response === undefined) return [begun]
  const csrf = await csrfFor(stage, step.browser, "valid")
  const sending = { method: "POST", url: `${base}/callback/${provider}`, ...bodyOf({ ...csrf.fields, ...response }) }
  return [begun, ...csrf.observations, await exchange(stage, step.browser, sending)]
}

function tamper(stage: Stage, { browser, role, how }: Of<"tamper">): void {
  const { jar } = browserOf(stage, browser)
  const { plan } = stage.application
  for (const cookie of jar.cookies.filter(({ name }) => roleOf(name, plan) === role)) {
    if (how === "remove") jar.remove(cookie.name)
    else jar.put({ ...cookie, value: tampered(cookie.value, how) })
  }
  if (how === "junk" && role === "session" && jar.cookies.every(({ name }) => roleOf(name, plan) !== role)) {
    jar.put({ ...foreignCookie, name: nameOf("sessionToken", plan), domain: new URL(plan.origin).hostname })
  }
}

const foreignCookie = {
  value: "junk",
  hostOnly: true,
  path: "/",
  secure: true,
  httpOnly: true,
  sameSite: "lax",
  expires: undefined,
} as const

function tampered(value: string, how: "change" | "empty" | "junk"): string {
  if (how === "empty") return ""
  if (how === "junk") return "junk"
  const middle = Math.floor(value.length / 2)
  return value.slice(0, middle) + (value[middle] === "A" ? "B" : "A") + value.slice(middle + 1)
}
