import fc from "fast-check"

/** An application for next-auth 4. */
export interface Plan {
  readonly router: "pages" | "app"
  readonly origin: "https://app.test" | "http://app.test"
  /** `AUTH_TRUST_HOST` and forwarded headers name the site in place of NEXTAUTH_URL. */
  readonly trustsHost: boolean
  readonly database: "none" | "jwt" | "database"
  readonly pages: Readonly<Record<string, string>>
  readonly authorize: "user" | "plain" | "null" | "throws" | "throws text"
  readonly signIn: "none" | "yes" | "no" | "/waitlist" | "https://other.test/plans" | "throws"
  readonly jwt: "none" | "role" | "replaces"
  readonly session: "none" | "role" | "own"
  readonly redirect: "none" | "given" | "home"
  readonly provider: "openid" | "openid checks" | "oauth" | "oauth request" | "well known"
  readonly cookieName: string | undefined
  readonly maxAge: number | undefined
  readonly jwtCodec: boolean
  readonly hasUser: boolean
}

/** What a visitor does. */
export type Step =
  | { readonly do: "get"; readonly path: string }
  | {
      readonly do: "post"
      readonly path: string
      readonly csrf: "valid" | "missing" | "wrong"
      readonly json: boolean
      readonly type: "form" | "json"
      readonly fields: Readonly<Record<string, string>>
    }
  | {
      readonly do: "oauth"
      readonly json: boolean
      readonly callbackUrl: string | undefined
      readonly outcome: "ok" | "declined" | "other state" | "no cookie" | "twice"
    }
  | {
      readonly do: "email"
      readonly email: string
      readonly json: boolean
      readonly open: "never" | "once" | "twice" | "changed"
    }
  | { readonly do: "update"; readonly data: unknown }
  | { readonly do: "server" }
  | { readonly do: "token" }

export interface Scenario {
  readonly plan: Plan
  readonly steps: readonly Step[]
}

const of = fc.constantFrom

export const plans: fc.Arbitrary<Plan> = fc.record({
  router: of("pages", "app"),
  origin: of("https://app.test", "http://app.test"),
  trustsHost: fc.boolean(),
  database: of("none", "jwt", "database"),
  pages: of<Readonly<Record<string, string>>>(
    {},
    {},
    { signIn: "/login" },
    { signIn: "/login?a=b", error: "/oops" },
    { error: "/oops?x=y" },
    { newUser: "/welcome", verifyRequest: "/look", signOut: "/bye" },
  ),
  authorize: of("user", "user", "plain", "null", "throws", "throws text"),
  signIn: of("none", "none", "yes", "no", "/waitlist", "https://other.test/plans", "throws"),
  jwt: of("none", "role", "replaces"),
  session: of("none", "role", "own"),
  redirect: of("none", "none", "given", "home"),
  provider: of("openid", "openid checks", "oauth", "oauth request", "well known"),
  cookieName: of(undefined, undefined, "my.session"),
  maxAge: of(undefined, undefined, 3600),
  jwtCodec: of(false, false, false, true),
  hasUser: fc.boolean(),
})

const callbackUrls = of(
  undefined,
  "/profile",
  "https://app.test/profile?tab=2",
  "http://app.test/profile",
  "https://other.test/steal",
)
const codes = [
  "AccessDenied",
  "Configuration",
  "Verification",
  "OAuthCallback",
  "CredentialsSignin",
  "Default",
  "my own text",
]
const paths = [
  "/session",
  "/session",
  "/csrf",
  "/providers",
  "/signin",
  "/signin?callbackUrl=%2Fprofile",
  "/signin?error=OAuthAccountNotLinked",
  "/signout",
  "/verify-request",
  "/signin/op",
  ...codes.map((error) => `/error?${new URLSearchParams({ error })}`),
]

const csrf = of<"valid" | "missing" | "wrong">("valid", "valid", "valid", "valid", "missing", "wrong")
const fields = fc.record({ username: of("ada", "grace"), password: of("secret", "x") })
const withTarget = (target: string | undefined): Readonly<Record<string, string>> =>
  target === undefined ? {} : { callbackUrl: target }

const posts: fc.Arbitrary<Step> = fc
  .record({
    path: of(
      "/callback/credentials",
      "/callback/credentials",
      "/signout",
      "/signin/op",
      "/signin/credentials",
      "/_log",
    ),
    csrf,
    json: fc.boolean(),
    type: of<"form" | "json">("form", "form", "json"),
    target: callbackUrls,
    fields,
  })
  .map(({ target, fields: given, ...rest }) => ({
    do: "post",
    ...rest,
    fields: { ...(rest.path.endsWith("credentials") ? given : {}), ...withTarget(target) },
  }))

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: of(...paths).map((path): Step => ({ do: "get", path })) },
  { weight: 4, arbitrary: posts },
  {
    weight: 4,
    arbitrary: fc.record({
      do: of("oauth" as const),
      json: fc.boolean(),
      callbackUrl: callbackUrls,
      outcome: of("ok", "ok", "ok", "declined", "other state", "no cookie", "twice"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: of("email" as const),
      email: of("ada@example.test", "New@Example.test", "no email"),
      json: fc.boolean(),
      open: of("never", "once", "twice", "changed"),
    }),
  },
  {
    weight: 1,
    arbitrary: of<unknown>({ role: "editor" }, undefined, { name: "Countess" }).map(
      (data): Step => ({ do: "update", data }),
    ),
  },
  { weight: 3, arbitrary: of<Step>({ do: "server" }) },
  { weight: 1, arbitrary: of<Step>({ do: "token" }) },
)

export const scenarios: fc.Arbitrary<Scenario> = fc.record({
  plan: plans,
  steps: fc.array(steps, { minLength: 1, maxLength: 7 }),
})
