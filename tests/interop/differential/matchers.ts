import type { Context } from "./compare.js"
import { any, at, type Entries, whole } from "./entries.js"
import type { Outcome, Plan, ProviderPlan } from "./plan.js"

function json(value: unknown): string {
  return JSON.stringify(value === undefined ? null : value)
}

/** The provider that the path of the request names. */
function providerOf({ plan, request }: Context): ProviderPlan | undefined {
  return plan.providers.find(({ id }) => request.endsWith(`/${id}`))
}

function strategyOf({ adapter, session }: Plan): "jwt" | "database" {
  return session?.strategy ?? (adapter ? "database" : "jwt")
}

const routes = /^\w+ \/(?:providers|csrf|session|signin|signout|verify-request|error)$/

function isRoute(context: Context): boolean {
  return (
    routes.test(context.request) ||
    (/\/(?:signin|callback)\//.test(context.request) && providerOf(context) !== undefined)
  )
}

/** A URL without these query parameters. */
function without(location: unknown, ...names: readonly string[]): string | undefined {
  if (typeof location !== "string" || !URL.canParse(location)) return undefined
  const url = new URL(location)
  for (const name of names) url.searchParams.delete(name)
  return url.href
}

function sorted(location: unknown): string | undefined {
  if (typeof location !== "string" || !URL.canParse(location)) return undefined
  const url = new URL(location)
  url.searchParams.sort()
  return url.href
}

function errorsOf({ observed: { theirs, ours } }: Context) {
  return { theirs: theirs.errors[0] ?? "", ours: ours.errors[0] ?? "" }
}

/** An OAuth 2.0 provider that sends an ID token, or has to because of its `checks`. */
function expectsIdToken(provider: ProviderPlan | undefined): boolean {
  if (provider?.type !== "oauth") return false
  return provider.params?.["scope"]?.includes("openid") === true || provider.checks?.includes("nonce") === true
}

function returned({ step }: Context, ...outcomes: readonly Outcome[]): boolean {
  return step.do === "return" && outcomes.includes(step.outcome)
}

function isCallback({ request }: Context): boolean {
  return /^(?:GET|POST) \/callback\//.test(request)
}

/** Whether the one cookie that next-auth has for all tabs was replaced by a later sign-in, or removed. */
function hasLostCookie({ earlier }: Context): boolean {
  const starts = earlier.filter(
    (step) => step.do === "submit" || (step.do === "post" && step.path.startsWith("/signin/")),
  )
  return starts.length > 1 || earlier.some((step) => step.do === "tamper" && step.role === "pkce")
}

/** Errors of next-auth that it answers on every route with status 500. */
const unusable: ReadonlySet<string> = new Set([
  "MissingSecret",
  "MissingAdapter",
  "UntrustedHost",
  "UnsupportedStrategy",
])

function areBothUnusable({ observed: { theirs, ours } }: Context): boolean {
  const isOwnPage = ours.location?.endsWith("error=Configuration") === true
  return unusable.has(theirs.errors[0] ?? "") && (ours.status === 500 || isOwnPage)
}

/** Seconds after which Latchkey extends a session. */
function updateAgeOf({ session: { maxAge = 2_592_000, updateAge = 86_400 } = {} }: Plan): number {
  return Math.min(updateAge, maxAge / 10)
}

/** Whether a time such as `now+60s` is earlier than another, by at most these seconds. */
function isEarlier(time: unknown, than: unknown, atMost: number): boolean {
  const [a, b] = [time, than].map((value) => Number(/^now([+-]\d+)s$/.exec(String(value))?.[1] ?? Number.NaN))
  return a !== undefined && b !== undefined && a < b && b - a <= atMost
}

function names(calls: unknown): readonly string[] {
  return Array.isArray(calls) ? calls.map(String) : []
}

function writes(calls: unknown): readonly string[] {
  return names(calls).filter((name) => !name.startsWith("get"))
}

const warningsOfLatchkey: ReadonlySet<unknown> = new Set([
  "weak-secret",
  "redirect-refused",
  "insecure-endpoint",
  "pkce-unsupported",
  "checks-disabled",
  "provider-deprecated",
  "store-capability-missing",
  "rate-limited",
  "weakened-settings",
  "nothing-protected",
  "user-without-id",
  "invalid-option",
  "duplicate-provider",
])

/** How the runner recognizes each entry of docs/differences.md. The keys are the ids on the page. */
export const matchers: Entries = {
  // Routes
  head: at(/./, ({ request }) => request.startsWith("HEAD ")),
  "wrong-method": at(/./, ({ observed }) => observed.ours.status === 405),
  "unknown-path": at(/./, (context) => {
    const { theirs, ours } = context.observed
    const isRefused = theirs.status === 400 || theirs.location?.includes("error") === true || theirs.status === 500
    return isRefused && (ours.status === 404 || ours.status === 500) && !isRoute(context)
  }),
  "sign-in-page-of-provider": whole(
    (context) => context.request.startsWith("GET /signin/") && errorsOf(context).theirs === "UnknownAction",
  ),
  "unreadable-body": at(
    /./,
    ({ step, observed }) => step.do === "post" && step.body === "text" && observed.ours.status === 415,
  ),
  "broken-callback-url": whole((context) => ["InvalidCallbackUrl", "TypeError"].includes(errorsOf(context).theirs)),
  "double-slash": at(
    /^(?:location|held\.callback-url|args\.)/,
    (_, { theirs, ours }) => /(?:\/|%2F){2}evil\.test/.test(String(theirs)) && !String(ours).includes("evil.test"),
  ),

  // Pages
  "absolute-pages": whole(
    ({ plan, observed: { theirs, ours } }) =>
      theirs.status === 500 &&
      plan.pages?.["signIn"] !== undefined &&
      ours.location?.startsWith(plan.pages["signIn"]) === true,
  ),
  "page-with-query": at(/^location$/, ({ plan, observed }, { ours }) => {
    const mended = observed.theirs.location
      ?.replace(/%3F(error|code)%3D/, "&$1=")
      .replace(/%26(error|code)%3D/, "&$1=")
      .replace(/^https?:\/\/[^/]*?https\/?\/\//, "https://")
    return Object.values(plan.pages ?? {}).some((page) => /\?|^https/.test(page)) && sorted(mended) === sorted(ours)
  }),
  "error-page-status": at(
    /^status$/,
    ({ observed: { theirs, ours }, request }) =>
      request === "GET /error" && theirs.status === 200 && ours.status === 400,
  ),
  "error-page-without-code": at(
    /^location$/,
    ({ request }, { theirs, ours }) =>
      request === "GET /error" && without(theirs, "error") === ours && String(theirs).includes("error=undefined"),
  ),
  "empty-session": at(
    /^body$/,
    ({ request, plan }, { theirs, ours }) =>
      request.endsWith("/session") && plan.callbacks.session === "undefined" && theirs === "" && ours === null,
  ),
  "verify-request-error": at(/^body\.hasError$/, ({ request }) => request === "GET /verify-request"),
  "unusable-page": any(
    at(/^body/, areBothUnusable),
    at(/^body\.theme$/, ({ request, observed }) => request === "GET /error" && observed.theirs.status === 500),
  ),

  "target-in-form": at(/^location$|\.callbackUrl$/, ({ step, plan }, { theirs, ours }) => {
    if (step.do !== "submit") return false
    // `authorize` gets all fields of the form.
    if (theirs === undefined) return typeof ours === "string"
    if (theirs !== `${plan.origin}/`) return false
    const target = new URL(step.page, plan.origin).searchParams.get("callbackUrl")
    return target !== null && ours === new URL(target, plan.origin).href
  }),

  // Cookies
  "lazy-cookies": at(
    /^cookies\.(?:csrf|callback-url)$/,
    (_, { theirs, ours }) => json(theirs ?? ours).includes('"set"') && (theirs === undefined || ours === undefined),
  ),
  "callback-url-lifetime": at(
    /^cookies\.callback-url\.attributes\.lifetime$/,
    (_, { theirs, ours }) => theirs === undefined && ours === "now+3600s",
  ),
  "csrf-after-sign-in": at(/^cookies\.csrf/, ({ observed }) => observed.ours.cookies["csrf"]?.effect === "cleared"),
  "flow-cookies": any(
    at(/^cookies\.(?:pkce|state|nonce)/),
    whole(
      (context) =>
        context.step.do === "return" &&
        errorsOf(context).theirs === "InvalidCheck" &&
        errorsOf(context).ours !== "InvalidCheck" &&
        hasLostCookie(context),
    ),
  ),
  "session-cookie-when-due": any(
    at(
      /^cookies\.session$/,
      ({ observed }, { theirs, ours }) =>
        ours === undefined &&
        json(theirs).includes('"set"') &&
        json(observed.theirs.held["session"]) === json(observed.ours.held["session"]),
    ),
    at(/(?:^|\.)expires$/, ({ plan }, { theirs, ours }) => isEarlier(ours, theirs, updateAgeOf(plan))),
  ),

  // Sessions
  "sign-in-replaces-session": whole((context) => {
    const { theirs, ours } = context.observed
    const added = ["createSession", "deleteSession"]
    const callsOf = (side: typeof theirs) => side.calls.filter(({ kind }) => kind === "adapter").map(({ name }) => name)
    const kept = writes(callsOf(ours)).filter((name) => !added.includes(name))
    return (
      isCallback(context) &&
      writes(callsOf(ours)).includes("deleteSession") &&
      json(kept) === json(writes(callsOf(theirs)).filter((name) => !added.includes(name)))
    )
  }),
  "outage-keeps-session": whole(
    ({ observed: { theirs, ours } }) =>
      theirs.errors[0] === "JWTSessionError" &&
      theirs.cookies["session"]?.effect === "cleared" &&
      ours.cookies["session"] === undefined,
  ),
  "session-token-hidden": at(
    /^(?:body|args\.(?:callback|event)\.session.*)\.sessionToken$/,
    ({ plan }, { theirs, ours }) => strategyOf(plan) === "database" && theirs === "<random>" && ours === undefined,
  ),
  "session-callback-trigger": at(
    /^args\.callback\.session\.(?:0\.)?(?:trigger|newSession)/,
    ({ plan, request }) => strategyOf(plan) === "jwt" && request === "POST /session",
  ),

  // Sign-in
  "default-checks": any(
    at(
      /^location$/,
      (context, { theirs, ours }) =>
        context.request.startsWith("POST /signin/") &&
        typeof ours === "string" &&
        without(theirs, "state", "nonce", "scope") === without(ours, "state", "nonce", "scope"),
    ),
    whole((context) => returned(context, "wrong state") && errorsOf(context).ours === "InvalidCheck"),
  ),
  "late-callback": any(
    at(
      /^location$/,
      (_, { theirs, ours }) => without(ours, "code") === without(theirs) && String(ours).includes("code=InvalidCheck"),
    ),
    whole(
      (context) =>
        isCallback(context) &&
        errorsOf(context).ours === "InvalidCheck" &&
        ["CallbackRouteError", "OAuthCallbackError", "InvalidCheck"].includes(errorsOf(context).theirs),
    ),
    whole((context) => returned(context, "replay") && errorsOf(context).ours === "InvalidCheck"),
  ),
  "id-token-checked": whole(
    (context) =>
      returned(context, "badSignature", "replay") &&
      ["CallbackRouteError", "OAuthCallbackError"].includes(errorsOf(context).ours),
  ),
  "oauth2-id-token": whole(
    (context) =>
      isCallback(context) && errorsOf(context).theirs === "CallbackRouteError" && expectsIdToken(providerOf(context)),
  ),
  "oauth2-default-scope": at(
    /^location$/,
    (context, { theirs, ours }) =>
      providerOf(context)?.type === "oauth" && without(theirs, "scope", "state") === without(ours, "scope", "state"),
  ),
  "userinfo-fails": whole(
    (context) =>
      returned(context, "userinfo500", "replay") &&
      providerOf(context)?.type === "oauth" &&
      ["CallbackRouteError", "OAuthCallbackError"].includes(errorsOf(context).ours),
  ),
  "form-post": whole(
    (context) =>
      context.observed.ours.location?.includes("/callback/") === true ||
      (context.request.startsWith("POST /callback/") && errorsOf(context).theirs === "InvalidCheck"),
  ),
  "profile-throws": whole((context) => isCallback(context) && errorsOf(context).theirs === "OAuthProfileParseError"),
  "cached-discovery": whole(
    (context) => returned(context, "discoveryServerError") && errorsOf(context).theirs === "CallbackRouteError",
  ),
  "email-link-elsewhere": whole(
    ({ request, observed }) =>
      request.startsWith("GET /callback/") && json(observed.ours.body).includes("confirm-email"),
  ),
  "email-link-without-token": at(
    /^(?:location|errors|calls\.adapter)$/,
    (context) =>
      isCallback(context) &&
      providerOf(context)?.type === "email" &&
      ["CallbackRouteError", "Verification"].includes(errorsOf(context).theirs) &&
      errorsOf(context).ours === "Verification",
  ),
  "email-link-restored": at(
    /^calls\.adapter$/,
    (context, { ours }) =>
      isCallback(context) &&
      writes(ours).at(-1) === "createVerificationToken" &&
      context.observed.ours.errors.length > 0,
  ),
  "email-token-first": at(
    /^order$/,
    (_, { theirs, ours }) => json(names(theirs).toSorted()) === json(names(ours).toSorted()),
  ),
  "email-not-sent": whole(
    ({ observed, request }) => request.startsWith("POST /signin/") && observed.ours.errors.includes("EmailSignInError"),
  ),
  "credentials-with-database": whole(
    (context) =>
      strategyOf(context.plan) === "database" &&
      context.request.startsWith("POST /callback/") &&
      providerOf(context)?.type === "credentials",
  ),
  "email-verified": at(
    /emailVerified$/,
    (_, { theirs, ours }) => theirs === null && /^now[+-]\d+s$/.test(String(ours)),
  ),
  "account-user-id": at(
    /^args\.(?:event\.(?:linkAccount|signIn)|callback\.jwt(?:\.0)?)\.account\.userId$/,
    (_, { theirs, ours }) => (theirs === undefined || theirs === "<random>") && /^user-\d+$/.test(String(ours)),
  ),
  "email-new-user": at(
    /^args\.callback\.signIn\.0\.(?:account\.userId|user\.id)$/,
    (context) => providerOf(context)?.type === "email",
  ),
  "profile-fetch": at(
    /^args\.provider\.profile/,
    (_, { theirs, ours }) => json(theirs).slice(0, -1) + ',{"fetch":"<function>"}]' === json(ours),
  ),
  "adapter-reads": at(/^calls\.adapter$/, (_, { theirs, ours }) => json(writes(theirs)) === json(writes(ours))),

  // Callbacks
  "redirect-when-needed": any(
    at(/^calls\.redirect$|^args\.redirect/),
    whole(({ plan }) => plan.callbacks.redirect === "throws"),
  ),
  "default-through-redirect": at(
    /^location$|^args\.provider/,
    ({ plan }, { theirs, ours }) =>
      (plan.callbacks.redirect !== undefined &&
        theirs === `${plan.origin}/` &&
        /\/(?:home|relative)$/.test(String(ours))) ||
      (plan.callbacks.redirect !== undefined &&
        decodeURIComponent(String(ours)).replace(/\/(?:home|relative)\b/, "") === decodeURIComponent(String(theirs))),
  ),
  "user-without-id": at(/(?:\.id|\.sub|providerAccountId|^held\.session|^body)/, ({ plan }, { theirs, ours }) => {
    const isEmpty = JSON.stringify(plan.providers).includes('"id":""')
    return isEmpty && (theirs === "" || theirs === undefined) && typeof ours === "string"
  }),
  "sign-in-string": at(/^(?:location|errors)$/, ({ plan, observed: { theirs, ours } }) => {
    const { signIn } = plan.callbacks
    const chosen = signIn !== undefined && "returns" in signIn ? signIn.returns : undefined
    if (typeof chosen !== "string" || ours.location !== new URL(chosen, plan.origin).href) return false
    return new URL(theirs.location ?? "", plan.origin).pathname === "/" || !URL.canParse(chosen)
  }),
  "relative-redirect": at(
    /^(?:location|held\.callback-url|args\.)/,
    ({ plan }, { theirs, ours }) =>
      plan.callbacks.redirect === "relative" &&
      decodeURIComponent(String(theirs))
        .replace("=/relative", `=${plan.origin}/relative`)
        .replace(/^\/relative/, `${plan.origin}/relative`) === decodeURIComponent(String(ours)),
  ),

  // Next.js
  "next-database-row": at(
    /\.(?:session|auth)\.(?:user\.emailVerified|userId|sessionToken)$/,
    ({ plan, step }, { ours }) =>
      step.do === "auth" &&
      strategyOf(plan) === "database" &&
      plan.callbacks.session === undefined &&
      ours === undefined,
  ),

  // Configuration and log
  "unusable-logged-once": at(/^errors$/, (context) => unusable.has(errorsOf(context).theirs)),
  "more-warnings": at(
    /^warnings$/,
    (_, { theirs, ours }) => json(names(ours).filter((code) => !warningsOfLatchkey.has(code))) === json(theirs),
  ),
  "express-untrusted-host": at(
    /^(?:status|body)/,
    ({ plan, step, observed }) =>
      plan.framework === "express" &&
      step.do === "auth" &&
      observed.theirs.errors.includes("UntrustedHost") &&
      observed.ours.body === null,
  ),
  "unused-strategy": whole((context) => errorsOf(context).theirs === "UnsupportedStrategy"),
}
