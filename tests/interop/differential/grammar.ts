import fc from "fast-check"
import { email as unusual, spellings } from "./emails.js"
import type {
  Behavior,
  CookieKey,
  CookiePlan,
  CredentialsPlan,
  EmailPlan,
  Framework,
  OAuthPlan,
  PasskeyPlan,
  Plan,
  ProviderPlan,
} from "./plan.js"

/** A property that a plan may leave out. */
function maybe<T>(arbitrary: fc.Arbitrary<T>, weight = 1): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight, arbitrary })
}

/** Leaves out the properties that are `undefined`, so that a printed scenario is short. */
function record<T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K] | undefined> }): fc.Arbitrary<T> {
  return fc
    .record<Record<string, unknown>>(model)
    .map((made) => Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined)) as T)
}

function returning(...values: readonly unknown[]): fc.Arbitrary<Behavior> {
  return fc
    .record({ returns: fc.constantFrom(...values), async: fc.boolean() })
    .map(({ returns, async }) => (async ? { returns, async } : { returns }))
}

const throwing: fc.Arbitrary<Behavior> = record<Extract<Behavior, { throws: string }>>({
  throws: fc.constantFrom("Error" as const, "AccessDenied" as const),
  async: maybe(fc.constant(true)),
})

const signIn = fc.oneof(
  { weight: 4, arbitrary: returning(true) },
  { weight: 3, arbitrary: returning(1, "yes", {}, "/waitlist", "https://other.test/plans", "/a?b=c#d") },
  { weight: 2, arbitrary: returning(false, null, undefined, "", 0) },
  { weight: 1, arbitrary: throwing },
)

const ada = { id: "ada", name: "Ada", email: "ada@example.test", image: "https://app.test/ada.png" }

/** The application returns a user or a profile with any email. */
const withEmail: fc.Arbitrary<Behavior> = fc
  .oneof({ weight: 9, arbitrary: unusual }, { weight: 1, arbitrary: fc.constantFrom(null, undefined, 7) })
  .chain((given) => returning({ id: "1", name: "Ada", email: given }))

const authorize = fc.oneof(
  { weight: 4, arbitrary: returning(ada) },
  { weight: 1, arbitrary: withEmail },
  {
    weight: 2,
    arbitrary: returning({ name: "Ada" }, { id: 7, name: "Ada" }, { id: "ada", role: "admin" }, {}, { ...ada, id: "" }),
  },
  { weight: 2, arbitrary: returning(null, undefined, false) },
  { weight: 1, arbitrary: throwing },
  { weight: 1, arbitrary: fc.constant<Behavior>({ throws: "CredentialsSignin", async: true }) },
)

const profile = fc.oneof(
  {
    weight: 3,
    arbitrary: returning(
      { id: "1", name: "Ada", email: "Ada@Example.test" },
      { id: 1, name: "Ada", email: "ada@example.test", role: "admin" },
    ),
  },
  { weight: 6, arbitrary: withEmail },
  { weight: 1, arbitrary: returning({ id: "1" }, { name: "Ada" }, { id: "1", email: null, name: null, image: null }) },
  { weight: 1, arbitrary: throwing },
)

const credentials: fc.Arbitrary<CredentialsPlan> = record<CredentialsPlan>({
  type: fc.constant("credentials" as const),
  id: fc.constantFrom("credentials", "password"),
  authorize,
})

const oauth: fc.Arbitrary<OAuthPlan> = record<OAuthPlan>({
  type: fc.constantFrom("oidc" as const, "oauth" as const),
  id: fc.constantFrom("op", "my-provider"),
  checks: maybe(
    fc.constantFrom<NonNullable<OAuthPlan["checks"]>>(
      ["pkce"],
      ["state"],
      ["pkce", "state"],
      ["pkce", "state", "nonce"],
      ["none"],
    ),
  ),
  params: maybe(fc.constantFrom({ prompt: "login" }, { scope: "openid email" }, { response_mode: "form_post" })),
  profile: maybe(profile, 2),
  allowDangerousEmailAccountLinking: maybe(fc.boolean()),
})

const email: fc.Arbitrary<EmailPlan> = record<EmailPlan>({
  type: fc.constant("email" as const),
  id: fc.constantFrom("mail", "email"),
  maxAge: maybe(fc.constantFrom(60, 86_400)),
  fails: maybe(fc.constant(true)),
})

const passkey: fc.Arbitrary<PasskeyPlan> = record<PasskeyPlan>({
  type: fc.constant("webauthn" as const),
  id: fc.constantFrom("passkey", "webauthn", "my-key"),
  module: fc.constantFrom("passkey" as const, "webauthn" as const),
  enableConditionalUI: maybe(fc.constant(false)),
  userVerification: maybe(fc.constantFrom("required" as const, "preferred" as const)),
})

const providers: fc.Arbitrary<readonly ProviderPlan[]> = fc
  .tuple(maybe(oauth, 4), maybe(credentials, 4), maybe(email, 2), maybe(passkey, 1))
  .map((all) => all.filter((provider): provider is ProviderPlan => provider !== undefined))

const options: fc.Arbitrary<NonNullable<CookiePlan["options"]>> = record<NonNullable<CookiePlan["options"]>>({
  sameSite: maybe(fc.constantFrom("lax" as const, "strict" as const, "none" as const)),
  path: maybe(fc.constantFrom("/", "/auth")),
  secure: maybe(fc.boolean()),
  httpOnly: maybe(fc.boolean()),
  domain: maybe(fc.constantFrom("app.test")),
  maxAge: maybe(fc.constantFrom(3600)),
})

const cookie: fc.Arbitrary<CookiePlan> = record<CookiePlan>({
  name: maybe(fc.constantFrom("named", "__Secure-named")),
  options: maybe(options),
})

const cookieKeys: readonly CookieKey[] = [
  "sessionToken",
  "callbackUrl",
  "csrfToken",
  "pkceCodeVerifier",
  "state",
  "nonce",
  "webauthnChallenge",
]

const cookies: fc.Arbitrary<NonNullable<Plan["cookies"]>> = fc
  .tuple(fc.constantFrom(...cookieKeys), cookie)
  .map(([key, plan]) => ({ [key]: plan.name === undefined ? plan : { ...plan, name: `${plan.name}-${key}` } }))

const pages: fc.Arbitrary<NonNullable<Plan["pages"]>> = record<Record<string, string>>({
  signIn: maybe(fc.constantFrom("/login", "/login?from=auth", "https://login.app.test/")),
  signOut: maybe(fc.constant("/bye")),
  error: maybe(fc.constantFrom("/oops", "/oops?a=b")),
  verifyRequest: maybe(fc.constant("/sent")),
  newUser: maybe(fc.constantFrom("/welcome", "/welcome?step=1")),
})

const trusted: Plan["env"] = { NODE_ENV: "production", AUTH_TRUST_HOST: "true" }

const env: fc.Arbitrary<Readonly<Record<string, string>>> = fc.oneof(
  { weight: 8, arbitrary: fc.constant(trusted) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      { NODE_ENV: "production", VERCEL: "1" },
      { NODE_ENV: "development" },
      { ...trusted, AUTH_SECRET: "q7Xw2LzB9vKd4RmT1nYc8HsJ5gPf3EoU6aVi0ZxQbNk=" },
      { NODE_ENV: "production" },
    ),
  },
)

/** The application, without what depends on the framework. */
type Common = Omit<Plan, "framework" | "origin" | "config" | "callbacks" | "env" | "secrets" | "adapter" | "providers">

const common: fc.Arbitrary<Common> = record<Common>({
  enableWebAuthn: maybe(fc.boolean()),
  basePath: maybe(fc.constantFrom("/auth", "/api/auth", "/a/b")),
  trustHost: maybe(fc.constantFrom(true, true, false)),
  useSecureCookies: maybe(fc.boolean()),
  session: maybe(
    record<NonNullable<Plan["session"]>>({
      strategy: maybe(fc.constantFrom("jwt" as const, "database" as const)),
      maxAge: maybe(fc.constantFrom(60, 3600, 86_400)),
      updateAge: maybe(fc.constantFrom(0, 30, 3600)),
    }),
  ),
  users: maybe(
    fc.array(fc.oneof(unusual, fc.constantFrom("ada@example.test", ...spellings)), { minLength: 1, maxLength: 2 }),
  ),
  failingEvents: maybe(fc.constantFrom(["signIn"], ["session"], ["signOut", "createUser"])),
  pages: maybe(pages),
  cookies: maybe(cookies),
  theme: maybe(
    fc.constantFrom(
      { colorScheme: "dark" },
      { brandColor: "#ff0000", logo: "/logo.png" },
      { colorScheme: "light", logo: "https://app.test/logo.png" },
    ),
  ),
})

const callbacks: fc.Arbitrary<Plan["callbacks"]> = record<Plan["callbacks"]>({
  signIn: maybe(signIn),
  redirect: maybe(fc.constantFrom("allow any", "home", "relative", "throws")),
  jwt: maybe(fc.constantFrom("unchanged", "adds a claim", "null", "throws", "takes the update", "large")),
  session: maybe(fc.constantFrom("unchanged", "adds a field", "only a field", "null", "undefined", "throws")),
  authorized: maybe(returning(true, false, {}, null, undefined)),
})

/** Any application that the types of next-auth 5 accept. */
export function planFor(framework: Framework): fc.Arbitrary<Plan> {
  const kinds = framework === "next" ? ["one object", "a function"] : ["one object", "an object for each request"]
  return fc
    .record({
      framework: fc.constant(framework),
      origin: fc.constantFrom(
        "https://app.test" as const,
        "https://app.test" as const,
        "http://localhost:3000" as const,
      ),
      config: fc.constantFrom(...(kinds as Plan["config"][])),
      env,
      secrets: fc.constantFrom("one" as const, "one" as const, "one" as const, "two" as const, "none" as const),
      adapter: fc.boolean(),
      providers,
      callbacks,
      common,
      isUsable: fc.constantFrom(...Array<boolean>(11).fill(true), false),
    })
    .map(({ common, isUsable, ...rest }) => (isUsable ? usable({ ...rest, ...common }) : { ...rest, ...common }))
}

/** Most random configurations lack something that they need, and then every response is an error. */
function usable(plan: Plan): Plan {
  const { trustHost: _, ...rest } = plan
  const env: Plan["env"] = isTrusting(plan.env) ? plan.env : trusted
  const secrets = plan.secrets === "none" && env["AUTH_SECRET"] === undefined ? "one" : plan.secrets
  const { enableWebAuthn: __, ...others } = rest
  const hasPasskeys = rest.providers.some(({ type }) => type === "webauthn")
  return withStorage({ ...(hasPasskeys ? { ...rest, enableWebAuthn: true } : others), env, secrets })
}

/** Emails need an adapter, and credentials with an adapter need sessions in cookies. */
function withStorage(plan: Plan): Plan {
  const has = (type: ProviderPlan["type"]) => plan.providers.some((provider) => provider.type === type)
  const adapter = plan.adapter || has("email") || has("webauthn") || plan.session?.strategy === "database"
  return has("credentials") && adapter
    ? { ...plan, adapter, session: { ...plan.session, strategy: "jwt" } }
    : { ...plan, adapter }
}

function isTrusting(env: Plan["env"]): boolean {
  return Object.keys(env).some((name) => /TRUST|VERCEL/.test(name)) || env["NODE_ENV"] !== "production"
}
