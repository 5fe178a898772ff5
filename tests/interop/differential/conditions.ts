import type { Context } from "./compare.js"
import type { Behavior, Outcome, Plan, ProviderPlan, Step } from "./plan.js"

export function json(value: unknown): string {
  return JSON.stringify(value === undefined ? null : value)
}

/** The provider that the path of the request names. */
export function providerOf({ plan, request }: Context): ProviderPlan | undefined {
  return plan.providers.find(({ id }) => request.endsWith(`/${id}`))
}

export function strategyOf({ adapter, session }: Plan): "jwt" | "database" {
  return session?.strategy ?? (adapter ? "database" : "jwt")
}

const routes = /^\w+ \/(?:providers|csrf|session|signin|signout|verify-request|error)$/

export function isRoute(context: Context): boolean {
  return (
    routes.test(context.request) ||
    (/\/(?:signin|callback)\//.test(context.request) && providerOf(context) !== undefined)
  )
}

/** A URL without these query parameters. */
export function without(location: unknown, ...names: readonly string[]): string | undefined {
  if (typeof location !== "string" || !URL.canParse(location)) return undefined
  const url = new URL(location)
  for (const name of names) url.searchParams.delete(name)
  return url.href
}

export function sorted(location: unknown): string | undefined {
  if (typeof location !== "string" || !URL.canParse(location)) return undefined
  const url = new URL(location)
  url.searchParams.sort()
  return url.href
}

export function errorsOf({ observed: { theirs, ours } }: Context) {
  return { theirs: theirs.errors[0] ?? "", ours: ours.errors[0] ?? "" }
}

/** An OAuth 2.0 provider that sends an ID token, or has to because of its `checks`. */
export function expectsIdToken(provider: ProviderPlan | undefined): boolean {
  if (provider?.type !== "oauth") return false
  return provider.params?.["scope"]?.includes("openid") === true || provider.checks?.includes("nonce") === true
}

/** The targets that earlier requests named, without the one of the sign-in in progress. */
export function targetsBefore({ step, earlier, plan }: Context): readonly string[] {
  // A sign-in page on another site isn't played, so it starts no sign-in.
  const isPlayed = plan.pages?.["signIn"]?.startsWith("https:") !== true
  const started = isPlayed ? earlier.findLast(({ do: kind }) => kind === "submit") : undefined
  const own = step.do === "return" || step.do === "open link" ? started : step
  return earlier
    .filter((each) => each !== own)
    .flatMap((each) => targetOf(each) ?? [])
    .filter((target) => target !== (own && targetOf(own)) && URL.canParse(target, plan.origin))
    .map((target) => new URL(target, plan.origin).href)
}

function targetOf(step: Step): string | undefined {
  if (step.do === "post") return step.fields?.["callbackUrl"]
  const path = step.do === "get" ? step.path : step.do === "submit" ? step.page : ""
  return new URLSearchParams(path.split("?")[1]).get("callbackUrl") ?? undefined
}

/** The email that the visitor types, that a link was sent to, or that the application's code returns. */
export function emailOf(context: Context): unknown {
  const { step, earlier } = context
  const provider = providerOf(context)
  if (provider?.type === "email") return typedIn([...earlier, step]).at(-1)
  return provider !== undefined && "profile" in provider ? returnedEmail(provider.profile) : undefined
}

function typedIn(steps: readonly Step[]): readonly unknown[] {
  return steps.flatMap((step) => {
    if (step.do === "submit") return [step.email ?? "ada@example.test"]
    return step.do === "post" ? [step.fields?.["email"]] : []
  })
}

function returnedEmail(behavior: Behavior | undefined): unknown {
  const profile = behavior !== undefined && "returns" in behavior ? behavior.returns : undefined
  return typeof profile === "object" && profile !== null && "email" in profile ? profile.email : undefined
}

/** Invisible characters. */
const unseen = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}`

const oneAddress = new RegExp(String.raw`^[^\s!%"(),:;<>@[\]\\${unseen}]{1,64}@[\p{L}\p{M}\p{N}._-]+$`, "u")

/** Whether sign-in by email refuses it. */
export function isRefused(typed: unknown): boolean {
  if (typeof typed !== "string") return true
  const email = typed.normalize("NFKC").toLowerCase().trim()
  return !oneAddress.test(email) || email.includes("=?") || email.length > 254
}

const severalOrUnseen = new RegExp(`[,;<>${unseen}]|@.*@`, "u")

/** Whether it's left out of a profile. */
export function isDropped(email: unknown): boolean {
  return typeof email === "string" && (severalOrUnseen.test(email) || email.length > 512)
}

/** Whether the email has another spelling, or is the spelling of another email in the scenario. */
export function hasSpellings(email: unknown, { plan, step, earlier }: Context): boolean {
  const returned = plan.providers.map((provider) =>
    "profile" in provider ? returnedEmail(provider.profile) : undefined,
  )
  const others = [...(plan.users ?? []), ...typedIn([...earlier, step]), ...returned].filter(
    (each) => typeof each === "string",
  )
  const isOther = (other: string) =>
    other.toLowerCase() !== String(email).toLowerCase() && mailbox(other) === mailbox(email)
  return others.some(isOther)
}

function mailbox(email: unknown): string {
  const [local = "", domain = ""] = String(email).trim().toLowerCase().normalize("NFC").split("@")
  const address = `https://${domain}`
  return `${local}@${URL.canParse(address) ? new URL(address).hostname : domain}`
}

/** A target, or a link that contains it, with the origin in its place. */
export function atOrigin(text: unknown, target: string, { origin }: Plan): string {
  const place = decodeURIComponent(String(text))
  return place === `${target}/` ? origin : place.replace(target, origin)
}

/** Whether the `signIn` callback returns one of these strings. */
export function returnsFromSignIn({ plan: { callbacks } }: Context, ...values: readonly string[]): boolean {
  const { signIn } = callbacks
  return signIn !== undefined && "returns" in signIn && values.includes(String(signIn.returns))
}

export function hasId(profile: unknown): boolean {
  return typeof profile === "object" && profile !== null && "id" in profile
}

/** A request for the options of a passkey, or with its response. */
export function isPasskey(context: Context): boolean {
  return providerOf(context)?.type === "webauthn" && /^\w+ \/(?:webauthn-options|callback)\//.test(context.request)
}

/** The step in which a browser asks for these options, and uses them. */
export function asksFor({ step }: Context, action: "register" | "authenticate" | undefined): boolean {
  return step.do === "passkey" && step.action === action
}

/** Calls without those that mark a challenge as used. */
export function withoutChallenge(calls: unknown): readonly string[] {
  return names(calls).filter((name) => !name.endsWith("VerificationToken"))
}

export function returned({ step }: Context, ...outcomes: readonly Outcome[]): boolean {
  return step.do === "return" && outcomes.includes(step.outcome)
}

export function isCallback({ request }: Context): boolean {
  return /^(?:GET|POST) \/callback\//.test(request)
}

/** Whether no time has passed since the last sign-in. */
export function isSameInstant(earlier: readonly Step[]): boolean {
  const signIn = earlier.findLastIndex((step) => ["submit", "return", "open link"].includes(step.do))
  return earlier.slice(signIn + 1).every((step) => step.do !== "wait")
}

/** Whether the one cookie that next-auth has for all tabs was replaced by a later sign-in, or removed. */
export function hasLostCookie({ earlier }: Context): boolean {
  const starts = earlier.filter(
    (step) => step.do === "submit" || (step.do === "post" && step.path.startsWith("/signin/")),
  )
  return starts.length > 1 || earlier.some((step) => step.do === "tamper" && step.role === "pkce")
}

/** Errors of next-auth that it answers on every route with status 500. */
export const unusable: ReadonlySet<string> = new Set([
  "MissingSecret",
  "MissingAdapter",
  "UntrustedHost",
  "UnsupportedStrategy",
  "ExperimentalFeatureNotEnabled",
  "DuplicateConditionalUI",
  "MissingWebAuthnAutocomplete",
])

export function areBothUnusable({ observed: { theirs, ours } }: Context): boolean {
  const isOwnPage = ours.location?.endsWith("error=Configuration") === true
  return unusable.has(theirs.errors[0] ?? "") && (ours.status === 500 || isOwnPage)
}

/** Seconds after which Latchkey extends a session. */
export function updateAgeOf({ session: { maxAge = 2_592_000, updateAge = 86_400 } = {} }: Plan): number {
  return Math.min(updateAge, maxAge / 10)
}

/** Whether a time such as `now+60s` is earlier than another, by at most these seconds. */
export function isEarlier(time: unknown, than: unknown, atMost: number): boolean {
  const [a, b] = [time, than].map((value) => Number(/^now([+-]\d+)s$/.exec(String(value))?.[1] ?? Number.NaN))
  return a !== undefined && b !== undefined && a < b && b - a <= atMost
}

export function names(calls: unknown): readonly string[] {
  return Array.isArray(calls) ? calls.map(String) : []
}

export function writes(calls: unknown): readonly string[] {
  return names(calls).filter((name) => !name.startsWith("get"))
}

const warningsOfNextAuth: ReadonlySet<string> = new Set([
  "debug-enabled",
  "csrf-disabled",
  "env-url-basepath-redundant",
  "env-url-basepath-mismatch",
  "experimental-webauthn",
])

/** Users of `authorize` aren't in the database. */
export function signsInWithPassword(step: Step, { providers }: Plan): boolean {
  const isPassword = (id: string | undefined) =>
    providers.some((provider) => provider.type === "credentials" && provider.id === id)
  if (step.do === "post") return step.path.startsWith("/callback/") && isPassword(step.path.split("/")[2])
  return step.do === "submit" && isPassword(step.provider)
}

export function isPasskeyWarning(code: string): boolean {
  return code.startsWith("experimental-webauthn")
}

/** The recorder marks a warning that was logged before. */
export function isOwnWarning(code: string): boolean {
  return !warningsOfNextAuth.has(code) && !code.endsWith(" again")
}

export function checksOf(provider: ProviderPlan | undefined): readonly string[] {
  return provider !== undefined && "checks" in provider ? (provider.checks ?? []) : []
}
