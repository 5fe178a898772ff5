import type { Difference } from "./compare.js"
import type { Step } from "./plan.js"

type Matcher = (difference: Difference) => boolean

type Anything = ReturnType<typeof JSON.parse>

/** How the runner recognizes each entry of docs/differences-4.md. The keys are the ids on the page. */
export const matchers: Readonly<Record<string, Matcher>> = {
  "cookies-on-demand": ({ where, theirs, ours, request, observed }) =>
    where === "cookies.csrf-token" &&
    [theirs, ours].includes(undefined) &&
    ours !== "cleared" &&
    (!/^GET \/api\/auth\/(?!callback|error)/.test(request) ||
      ours !== undefined ||
      (observed.ours?.status ?? 0) >= 400),
  "csrf-renewed": ({ where, ours }) => /^cookies\.(?:csrf-token|callback-url)$/.test(where) && ours === "cleared",
  "callback-url-cookie": ({ where }) => where === "cookies.callback-url",
  "flow-cookies": ({ where }) => /^cookies\.(?:state|pkce|nonce)$/.test(where),
  "more-cookies": ({ where }) => /^cookies\.(?:__Host-)?authjs\.(?:device|last-used|attempt)$/.test(where),
  "absolute-callback-url": ({ where, theirs, ours, scene }) =>
    where === "location" && same(ours, absolute(String(theirs), scene.plan.origin)),
  "session-cookie-when-due": ({ where, ours, request }) =>
    where === "cookies.session-token" &&
    ours === undefined &&
    /^(?:GET|POST) \/(?:api\/auth\/session|server)$/.test(request),
  "provider-as-error": ({ where, theirs, ours, request }) =>
    where === "location" &&
    request.startsWith("GET /api/auth/signin/") &&
    same(without(without(theirs, "error"), "callbackUrl"), without(ours, "callbackUrl")),
  "kept-claims": ({ where, theirs, ours, scene: { plan, earlier } }) =>
    /^args\.|^held\.session$|^body$/.test(where) &&
    plan.router === "app" &&
    plan.jwt === "replaces" &&
    earlier.some((step) => step.do === "server") &&
    same(withoutCount(theirs), withoutCount(ours)),
  "token-lifetime": ({ where, theirs, ours, scene }) =>
    /^args\.|^body$/.test(where) && scene.plan.maxAge !== undefined && same(withoutExpiry(theirs), withoutExpiry(ours)),
  "credentials-with-database": ({ request, scene }) =>
    request === "POST /api/auth/callback/credentials" && scene.plan.database === "database",
  "remembered-callback-url": ({ where, scene }) =>
    where === "location" &&
    targetOf(scene.step) === undefined &&
    scene.earlier.some((step) => targetOf(step) !== undefined),
  "default-callback-url": ({ where, theirs, ours, scene }) =>
    where === "location" &&
    scene.plan.redirect === "home" &&
    same(without(theirs, "callbackUrl"), without(ours, "callbackUrl")),
  "email-link-page": ({ request, observed, where, ours }) =>
    request.startsWith("GET /api/auth/callback/email") &&
    ((observed.ours?.body === "<page>" && observed.ours.status === 200) ||
      (where === "calls.adapter" && same(ours, []))),
  "one-session": ({ where, theirs, ours }) =>
    where === "calls.adapter" &&
    String(ours).includes("deleteSession") &&
    same(otherChanges(theirs), otherChanges(ours)),
  "new-email-user": ({ where, theirs, ours, scene }) =>
    where === "args.callback.signIn" && scene.step.do === "email" && same(withoutId(theirs), withoutId(ours)),
  "redirect-calls": ({ where }) => where === "calls.redirect" || where === "args.redirect.redirect",
  "adapter-lookups": ({ where, theirs, ours }) => where === "calls.adapter" && same(changesIn(theirs), changesIn(ours)),
  "token-type": ({ where, theirs, ours }) => where.startsWith("args.") && same(lowered(theirs), lowered(ours)),
  "error-page-status": ({ where, request, observed }) =>
    where === "status" && request.startsWith("GET /api/auth/error") && observed.ours?.body === "<page>",
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** The calls of an adapter that change something. */
function changesIn(names: Anything): Anything {
  return names.filter((name: string) => !name.startsWith("get"))
}

/** The URL with an absolute `callbackUrl`. */
function absolute(location: string, origin: string): string {
  if (!URL.canParse(location)) return location
  const url = new URL(location)
  const callbackUrl = url.searchParams.get("callbackUrl")
  if (callbackUrl !== null) url.searchParams.set("callbackUrl", new URL(callbackUrl, origin).href)
  return url.href
}

function otherChanges(names: Anything): Anything {
  return changesIn(names).filter((name: string) => !/^(?:create|delete)Session$/.test(name))
}

function without(location: unknown, name: string): string {
  if (!URL.canParse(String(location))) return String(location)
  const url = new URL(String(location))
  url.searchParams.delete(name)
  return url.href
}

function withoutExpiry(value: unknown): Anything {
  return JSON.parse(JSON.stringify(value ?? null, (name, item: unknown) => (name === "exp" ? undefined : item)))
}

/** Without what the `jwt` callback counts, and without the expiry. */
function withoutCount(value: unknown): Anything {
  const drops = (name: string) => name === "count" || name === "exp"
  return JSON.parse(JSON.stringify(value ?? null, (name, item: unknown) => (drops(name) ? undefined : item)))
}

/** The callback URL that a step names. */
function targetOf(step: Step): string | undefined {
  if (step.do === "oauth") return step.callbackUrl
  if (step.do === "post") return step.fields["callbackUrl"]
  return step.do === "get" ? (new URLSearchParams(step.path.split("?")[1]).get("callbackUrl") ?? undefined) : undefined
}

function withoutId(given: Anything): Anything {
  const {
    user: { id: _, ...user },
    ...rest
  } = given
  return { user, ...rest }
}

function lowered(value: unknown): Anything {
  return JSON.parse(JSON.stringify(value ?? null).replaceAll('"token_type":"Bearer"', '"token_type":"bearer"'))
}

/** Entries after which the libraries hold other data. */
export const ends: ReadonlySet<string> = new Set(["credentials-with-database"])

export function idOf(difference: Difference): string | undefined {
  return Object.keys(matchers).find((id) => matchers[id]?.(difference))
}
