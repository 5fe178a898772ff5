import { AuthError, CaptchaRefused, InvalidConfig } from "../errors.js"
import { isNavigation, toAuthRequest } from "../http/auth-request.js"
import { json, page, redirect, signInRequired } from "../http/respond.js"
import { askedLevel, insufficientAuthentication, stepUpParams } from "../http/step-up.js"
import { clearCookie, serializeCookie, setCookie } from "../http/cookie.js"
import { resolveCallbackUrl, toRoute } from "../http/redirect.js"
import { fill } from "../i18n/fill.js"
import { languageOf } from "../i18n/language-of.js"
import type { AuthContext, SessionContext } from "../model/auth.js"
import type { CaptchaAction } from "../model/captcha.js"
import type { SetCookie } from "../model/cookie.js"
import type { AuthRequest, Params } from "../model/http.js"
import type { PageBlock } from "../model/module-content.js"
import type { RecordWrite } from "../model/records.js"
import { type StepUp, stepUpRoute } from "../model/step-up.js"
import type { Session } from "../model/session.js"
import type { ModuleContext, RequestContext } from "../module-kit/context.js"
import type { Module, Texts } from "../module-kit/model.js"
import { moduleCookie, modulePurpose } from "../module-kit/companion.js"
import type { Passkeys } from "../module-kit/passkeys.js"
import { emitOfModule } from "../observability/audit.js"
import { createThrottle } from "../observability/throttle.js"
import { appName } from "../html/site-link.js"
import { stateOf } from "../primitives/state.js"
import { deviceOf } from "../session/details.js"
import { type Installed, installed as allInstalled } from "./installed.js"
import { limitsOf } from "./limit.js"
import { recordsOf } from "./records.js"
import { signInOf, signedInUser } from "./signed-in.js"
import { scriptOf } from "./script.js"
import { senderIn } from "./sender.js"
import { usersOf } from "./users.js"

/** Nothing but what the module declared. Without a request, the application acts. */
export function moduleContext(auth: AuthContext, installed: Installed, request?: AuthRequest): ModuleContext {
  const { module, parts } = installed
  const { runtime, records: store } = auth
  const { sealer } = auth.https
  const source = { module: module.id, store: store as NonNullable<typeof store>, sealer, now: runtime.now }
  const types = Object.entries(module.records ?? {})
  const purpose = modulePurpose(module.id)
  return {
    records: Object.fromEntries(types.map(([name, type]) => [name, recordsOf(source, name, type)])),
    async batch(owner, writes) {
      const settled: RecordWrite[] = []
      for (const write of writes) settled.push(await write)
      return source.store.batch(owner, settled, new Date(runtime.now()))
    },
    now: () => runtime.now(),
    random: (bytes) => runtime.random(bytes),
    seal: async (payload, maxAge) => sealer.seal(purpose, { ...payload }, maxAge),
    async open(token) {
      try {
        return (await sealer.open(purpose, token)).payload
      } catch {
        return null
      }
    },
    users: usersOf(auth, request, {
      providers: (module.providers ?? []).map(({ id }) => id),
      revokeOthers: async (userId, reason) => revokeOthers(auth, module, userId, reason),
    }),
    async openId(id) {
      const provider = auth.providers.get(id)
      return (provider && (await provider.method()).openId?.(auth, provider)) ?? null
    },
    atSite: async () => requestContext(auth, requestOfSite(auth, module.id), installed),
    async emit(name, user, { outcome = "success", ...details } = {}) {
      if (parts.events?.[name] === undefined)
        throw new InvalidConfig(`modules: ${module.id} has no event \`${name}\`. Add it to \`events\``)
      const about = { ...(user !== null && { user: user.id }), ...(request === undefined && byApplication) }
      await emitOfModule(auth, module, () => ({ name, outcome, ...about, ...details }))
    },
    canMail: senderIn(auth) !== undefined,
    at: ({ headers }) => requestContext(auth, ownRequest(auth, installed, headers), installed),
  }
}

/** One that fails doesn't keep the others from it. */
async function revokeOthers(
  auth: AuthContext,
  module: Installed["module"],
  userId: string,
  reason: string | undefined,
): Promise<void> {
  const others = (await allInstalled(auth)).filter((each) => each.module !== module)
  const ended = await Promise.allSettled(
    others.map(async (each) => each.parts.revoke?.(moduleContext(auth, each), { id: userId }, reason)),
  )
  const failed = ended.flatMap((each): unknown[] => (each.status === "rejected" ? [each.reason] : []))
  if (failed.length > 0) throw new AggregateError(failed, "Modules could not end what they issued")
}

const byApplication = { by: "application" } as const

/** A request that no visitor sent. */
function requestOfSite(auth: AuthContext, action: string): AuthRequest {
  const { origin, basePath } = auth
  if (origin === undefined)
    throw new AuthError("A module sends emails without a request. Set AUTH_URL to the URL of this site")
  const visitor = { headers: new Headers(), origin }
  const route = { action, providerId: undefined }
  return toAuthRequest(auth, visitor, { url: new URL(origin + basePath), method: "POST", route, body: {} })
}

export async function requestContext(
  auth: AuthContext,
  request: AuthRequest,
  installed: Installed,
  params: Params = {},
): Promise<RequestContext> {
  const { module } = installed
  const language = await languageOf(auth, request)
  const texts = await textsIn(auth, installed, language.tag)
  const url: RequestContext["url"] = (route, query) =>
    toRoute(request, route === "" ? module.id : `${module.id}/${route}`, query)
  return {
    ...moduleContext(auth, installed, request),
    request: partsOf(auth, request, params),
    app: appName({ auth, request }),
    language: language.tag,
    text(key, values = {}) {
      const found = texts[key]
      if (found === undefined)
        throw new InvalidConfig(`modules: ${module.id} has no text \`${key}\`. Add it to \`texts\``)
      return fill(found, values)
    },
    user: () => signedInUser(auth, request),
    signIn: () => signInOf(auth, request),
    captcha: async (action) => (auth.captcha === undefined ? undefined : captchaProblem(auth, request, action)),
    limit: limitsOf(auth, request, installed, async () => (await signedInUser(auth, request))?.id),
    get passkeys() {
      return passkeysOf(auth, request, module.id)
    },
    cookie: (name) => request.cookies.get(moduleCookie(request.scheme, module.id, name).name),
    setCookie(name, value, maxAge) {
      const cookie = moduleCookie(request.scheme, module.id, name)
      const lifetime = maxAge === undefined ? {} : { maxAge }
      const set = value === null ? clearCookie(cookie) : setCookie(cookie, value, lifetime)
      jarOf(request).push(set)
      return serializeCookie(set)
    },
    empty: (status, headers) => ({ kind: "empty", status, cookies: [], ...(headers && { headers }) }),
    mail: async (mail) => (await import("./mail.js")).send(auth, request, mail),
    json: (body, status, headers) => ({ ...json(body, [], status), ...(headers && { headers }) }),
    async page(shown) {
      const { value: csrfToken, cookies } = await request.csrf.token()
      const script = await scriptOf(installed)
      const content = { ...shown, blocks: withRoutes(shown.blocks) }
      return page({ name: "module", module: module.id, shown: content, csrfToken, script }, cookies, shown.status)
    },
    async redirect(to) {
      if (to === "account") return redirect(toRoute(request, "account"))
      return redirect(await resolveCallbackUrl(auth, request, to.url))
    },
    forward(to) {
      const { origin, pathname, searchParams } = new URL(to)
      // The rest of the URL is what was checked.
      const action = (origin + pathname) as typeof to
      return page({ name: "forward", action, fields: Object.fromEntries(searchParams) })
    },
    accountUrl: toRoute(request, "account"),
    url,
    stepUp: async (asked, to) => stepUp(auth, request, asked, to),
  }
}

function partsOf(auth: AuthContext, request: AuthRequest, params: Params): RequestContext["request"] {
  const { method, headers, origin, query, body: fields } = request
  const isHostKnown = auth.origin !== undefined || typeof auth.trustHost !== "boolean"
  return { method, headers, origin, isHostKnown, query, params, fields, device: deviceOf(headers.get("user-agent")) }
}

async function stepUp(auth: AuthContext, request: AuthRequest, asked: StepUp, to: string): Promise<Response | null> {
  const { isEnough } = await import("../signin/step-up.js")
  const level = askedLevel(asked)
  if (await isEnough(auth, request, level)) return null
  const url = toRoute(request, stepUpRoute, stepUpParams(level, to))
  return isNavigation(request.headers) ? signInRequired(url) : insufficientAuthentication(level, url)
}

/** What the user reads if the CAPTCHA isn't solved. */
async function captchaProblem(
  auth: AuthContext,
  request: AuthRequest,
  action: CaptchaAction,
): Promise<string | undefined> {
  const { requireCaptcha } = await import("../http/captcha.js")
  try {
    await requireCaptcha(auth, request, action)
    return undefined
  } catch (cause) {
    if (!(cause instanceof CaptchaRefused)) throw cause
    return (await languageOf(auth, request)).messages.signinErrors.captcha
  }
}

/** Loads with the first question. */
function passkeysOf(auth: AuthContext, request: AuthRequest, module: string): Passkeys | undefined {
  const hasProvider = [...auth.providers.values()].some(({ type }) => type === "webauthn")
  if (!hasProvider || auth.adapter === undefined || auth.records === undefined) return undefined
  const load = async () => (await import("./passkeys.js")).passkeysFor(auth, request, module)
  return {
    of: async (userId) => (await load()).of(userId),
    ask: async (question) => (await load()).ask(question),
    verify: async (question, answer) => (await load()).verify(question, answer),
  }
}

/** A request that the application answers itself, as if it were for the module. */
function ownRequest(auth: AuthContext, { module }: Installed, headers: Headers, origin?: string): AuthRequest {
  const url = new URL(`${auth.basePath}/${module.id}`, "http://localhost")
  const route = { action: module.id, providerId: undefined }
  return toAuthRequest(auth, { headers, origin }, { method: "GET", url, route, body: {} })
}

/** The session that a module finds in the headers of a request. `undefined`: its parts don't look for one. */
export async function identify(
  given: SessionContext,
  { headers, origin }: Pick<AuthRequest, "headers" | "origin">,
  module: Module,
): Promise<Session | null | undefined> {
  // Where only sessions are read, there are no providers and no features, which no session needs.
  const auth = given as AuthContext
  const own = (await allInstalled(auth)).find((each) => each.module === module)
  if (own?.parts.identify === undefined) return undefined
  return own.parts.identify(await requestContext(auth, ownRequest(auth, own, headers, origin), own))
}

/** The form of a provider posts to its callback, beside the routes of the module. */
export function withRoutes<B extends PageBlock>(blocks: readonly B[]): readonly B[] {
  return blocks.map((block) =>
    block.kind === "form" && block.signIn === true ? { ...block, route: `../callback/${block.route}` } : block,
  )
}

const jars = new WeakMap<AuthRequest, SetCookie[]>()

/** The cookies that modules have set for the response to a request. */
export function jarOf(request: AuthRequest): SetCookie[] {
  const jar = jars.get(request) ?? []
  jars.set(request, jar)
  return jar
}

/** The texts of a module in a language. English stands in for what is missing. */
async function textsIn(auth: AuthContext, { module, parts }: Installed, tag: string): Promise<TextsByKey> {
  const texts: Texts = parts.texts ?? { en: {} }
  const [base = tag] = tag.split("-")
  const found = texts[tag] ?? texts[base] ?? {}
  const own = typeof found === "function" ? (await found()).default : found
  const missing = Object.keys(texts.en).filter((key) => own[key] === undefined)
  if (missing.length === 0) return own
  if (base !== "en") warnOfEnglish(auth, module.id, tag, missing)
  return { ...texts.en, ...own }
}

type TextsByKey = Readonly<Record<string, string>>

const missingTexts = stateOf("module-texts", () => createThrottle({ maxListeners: 1 }))

function warnOfEnglish(auth: AuthContext, module: string, tag: string, missing: readonly string[]): void {
  if (!missingTexts(auth).allows(`${module} ${tag}`, auth.logSink, 0)) return
  const problem = `${module} lacks texts in ${tag}, and shows them in English`
  auth.logger.warn("invalid-option", `modules: ${problem}. Add to its \`texts\`: ${missing.join(", ")}`)
}
