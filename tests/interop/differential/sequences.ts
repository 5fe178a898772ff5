import fc from "fast-check"
import { email } from "./emails.js"
import { planFor } from "./grammar.js"
import type { Framework, Outcome, PasskeyAnswer, Plan, Scenario, Step } from "./plan.js"

const browser = fc.constantFrom(0, 0, 0, 1)

const targets = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("/dashboard", "https://app.test/deep?page=3", "http://localhost:3000/deep") },
  {
    weight: 1,
    arbitrary: fc.constantFrom("https://evil.test/", "//evil.test", "javascript:alert(1)", "not a url", ""),
  },
)
const csrf = fc.oneof(
  { weight: 6, arbitrary: fc.constant("valid" as const) },
  { weight: 1, arbitrary: fc.constantFrom("wrong" as const, "missing" as const) },
)

function idsOf({ providers }: Plan): readonly string[] {
  return [...providers.map(({ id }) => id), "unknown"]
}

function pathsOf(plan: Plan): fc.Arbitrary<string> {
  const withProvider = ["/signin", "/callback"].flatMap((route) => idsOf(plan).map((id) => `${route}/${id}`))
  const plain = [
    "/providers",
    "/csrf",
    "/session",
    "/session",
    "/signin",
    "/signout",
    "/verify-request",
    "/error",
    "/callback",
    "/nothing",
    "/session/more",
    "",
  ]
  const query = fc.oneof(
    fc.constantFrom(
      "",
      "",
      "?error=AccessDenied",
      "?error=Configuration",
      "?error=Verification",
      "?error=OAuthAccountNotLinked",
      "?error=Own&code=x",
      "?email=ada@example.test",
      "?token=x",
    ),
    targets.map((url) => `?callbackUrl=${encodeURIComponent(url)}`),
  )
  return fc.tuple(fc.constantFrom(...plain, ...withProvider), query).map((parts) => parts.join(""))
}

function getting(plan: Plan): fc.Arbitrary<Step> {
  const method = fc.constantFrom(undefined, undefined, undefined, undefined, undefined, undefined, "HEAD", "PUT")
  return fc
    .record({ browser, path: pathsOf(plan), method, json: fc.constantFrom(undefined, undefined, true) })
    .map((step) => compact({ do: "get", ...step }))
}

function posting(plan: Plan): fc.Arbitrary<Step> {
  const ids = idsOf(plan)
  const paths = [
    "/signout",
    "/signin",
    "/session",
    "/nothing",
    "/error",
    ...ids.flatMap((id) => [`/signin/${id}`, `/callback/${id}`, `/signin/${id}?prompt=consent&claims=x&hint=x`]),
  ]
  return fc
    .record({
      browser,
      path: fc.constantFrom(...paths),
      csrf,
      fields: fieldsOf(),
      json: fc.constantFrom(undefined, undefined, true),
      body: fc.constantFrom(undefined, undefined, undefined, "json" as const, "text" as const),
      bare: fc.constantFrom(undefined, undefined, undefined, true),
    })
    .map((step) => compact({ do: "post", ...step }))
}

function fieldsOf(): fc.Arbitrary<Readonly<Record<string, string>>> {
  const login = { username: "ada", password: "secret" }
  const mail = fc.oneof(
    fc.constantFrom(
      { email: "ada@example.test" },
      { email: " ADA@Example.test " },
      { email: "grace@example.test" },
      { email: "broken" },
      {},
    ),
    email.map((typed) => ({ email: typed })),
  )
  return fc
    .tuple(
      fc.constantFrom(login, {}),
      mail,
      fc.oneof(
        fc.constant({}),
        targets.map((callbackUrl) => ({ callbackUrl })),
      ),
    )
    .map(([a, b, c]) => ({ ...a, ...b, ...c }))
}

/** A complete sign-in with a provider of the plan: what most users do. */
function signingIn(plan: Plan): fc.Arbitrary<readonly Step[]> {
  const [first, ...rest] = plan.providers
  if (first === undefined) return fc.constant([])
  return fc
    .record({
      provider: fc.constantFrom(first, ...rest),
      browser,
      page: signInPage(),
      outcome,
      typed: fc.oneof(fc.constant(undefined), email),
      again: fc.boolean(),
    })
    .map(({ provider, browser, page, outcome, typed, again }) => {
      const submit: Step = { do: "submit", browser, page, provider: provider.id }
      if (provider.type === "credentials") return [submit]
      if (provider.type === "webauthn") return signingInWithPasskey(provider.id, browser, outcome)
      if (provider.type === "email")
        return [typed === undefined ? submit : { ...submit, email: typed }, { do: "open link", browser }]
      return [
        submit,
        { do: "return", browser, outcome },
        ...(again ? [{ do: "return", browser, outcome: "replay" } as const] : []),
      ]
    })
}

/** A sign-up and a later sign-in. */
function signingInWithPasskey(provider: string, browser: number, outcome: Outcome): readonly Step[] {
  const email = outcome === "grace" ? "grace@example.test" : "ada@example.test"
  const common = { do: "passkey", browser, provider, email, authenticator: browser, answer: "right" } as const
  return [
    { ...common, action: "register" },
    { do: "post", browser, path: "/signout", csrf: "valid" },
    { ...common, action: "authenticate" },
  ]
}

const answer: fc.Arbitrary<PasskeyAnswer> = fc.oneof(
  { weight: 4, arbitrary: fc.constant("right" as const) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<PasskeyAnswer[]>(
      "none",
      "replay",
      "other action",
      "not JSON",
      "noUserVerification",
      "wrongOrigin",
      "wrongChallenge",
      "lowerCounter",
      "badSignature",
      "unknownCredential",
    ),
  },
)

function passkeySteps({ providers }: Plan): fc.Arbitrary<readonly Step[]> {
  const [first, ...rest] = providers.filter(({ type }) => type === "webauthn").map(({ id }) => id)
  if (first === undefined) return fc.constant([])
  return fc
    .record({
      browser,
      provider: fc.constantFrom(first, ...rest),
      action: fc.constantFrom(undefined, "register" as const, "register" as const, "authenticate" as const),
      email: fc.constantFrom(undefined, "ada@example.test", "ada@example.test", "grace@example.test", "not an email"),
      authenticator: fc.constantFrom(0, 0, 1),
      answer,
    })
    .map((step) => [compact({ do: "passkey", ...step })])
}

function signInPage(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constant("/signin"),
    targets.map((url) => `/signin?callbackUrl=${encodeURIComponent(url)}`),
  )
}

const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<Outcome[]>("ada", "ada", "ada", "grace", "mallory") },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Outcome[]>(
      "denied",
      "wrong state",
      "no code",
      "tokenServerError",
      "tokenError",
      "userinfo500",
      "discoveryServerError",
      "noIdToken",
      "wrongNonce",
      "badSignature",
    ),
  },
)

const other: fc.Arbitrary<Step> = fc.oneof(
  fc
    .record({ browser, as: fc.constantFrom("reader" as const, "proxy" as const, "handler" as const) })
    .map((step) => ({ do: "auth" as const, ...step })),
  fc
    .record({
      browser,
      data: fc.constantFrom<unknown[]>({ name: "Grace" }, { user: { name: "Grace" } }, null, "text", []),
      csrf,
    })
    .map((step) => ({ do: "update" as const, ...step })),
  fc.record({ browser, path: fc.constant("/session") }).map((step) => ({ do: "get" as const, ...step })),
  fc
    .record({
      browser,
      role: fc.constantFrom(
        "session" as const,
        "csrf" as const,
        "callback-url" as const,
        "state" as const,
        "pkce" as const,
        "challenge" as const,
      ),
      how: fc.constantFrom("change" as const, "empty" as const, "remove" as const, "junk" as const),
    })
    .map((step) => ({ do: "tamper" as const, ...step })),
  fc
    .record({ seconds: fc.constantFrom(1, 45, 70, 600, 1000, 4000, 90_000, 3_000_000) })
    .map((step) => ({ do: "wait" as const, ...step })),
  fc
    .record({
      browser,
      change: fc.constantFrom(undefined, undefined, "token" as const, "email" as const, "no token" as const),
    })
    .map((step) => compact({ do: "open link", ...step })),
)

function stepsFor(plan: Plan): fc.Arbitrary<readonly Step[]> {
  const one = (step: Step): readonly Step[] => [step]
  const group = fc.oneof(
    { weight: 3, arbitrary: signingIn(plan) },
    { weight: 3, arbitrary: passkeySteps(plan) },
    { weight: 3, arbitrary: getting(plan).map(one) },
    { weight: 2, arbitrary: posting(plan).map(one) },
    { weight: 3, arbitrary: other.map(one) },
  )
  return fc.array(group, { minLength: 1, maxLength: 7 }).map((groups) => groups.flat())
}

/** Drops properties without a value. */
function compact(step: { readonly [K in keyof Step]: unknown } & object): Step {
  return Object.fromEntries(Object.entries(step).filter(([, value]) => value !== undefined)) as unknown as Step
}

/** An application and what happens to it. */
export function scenarioFor(framework: Framework): fc.Arbitrary<Scenario> {
  return planFor(framework).chain((plan) => stepsFor(plan).map((steps) => ({ plan, steps })))
}
