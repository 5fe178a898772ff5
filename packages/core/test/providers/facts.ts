import { readdirSync, readFileSync } from "node:fs"

export type Fields = Readonly<Record<string, string>>
export type Json = Readonly<Record<string, unknown>>

/** A raw profile and the exact user it maps to. */
export interface Sample {
  readonly profile: Json
  readonly user: Json & { readonly id: string }
}

export interface TokenFacts {
  /** Left out if the discovery document names it. */
  readonly url?: string
  /** `own`: with the fields below. */
  readonly auth: "client_secret_basic" | "client_secret_post" | "none" | "own"
  readonly headers?: Fields
  readonly query?: Fields
  /** Fields of the form in addition to those of RFC 6749. */
  readonly form?: Fields
  /** Replaces the whole form. `{code}` and `{redirect_uri}` are placeholders. */
  readonly replaces?: Fields
  /** Fields of the response in addition to the usual ones. */
  readonly answer?: Json
  /** The path of the tokens in the response, such as `data.tokens`. */
  readonly envelope?: string
  /** Fields next to the envelope. */
  readonly around?: Json
}

/** A request to the API. `{token}` in the URL stands for the access token, `*` as a header for any value. */
export interface Call {
  readonly url: string
  readonly method?: string
  readonly headers?: Fields
  /** The response body. @default the profile of the first sample */
  readonly answer?: unknown
  readonly status?: number
}

export interface UserinfoFacts extends Omit<Call, "url"> {
  /** Left out if the discovery document names it. */
  readonly url?: string
  /** The provider sends the request itself. */
  readonly custom?: boolean
  /** The profile doesn't come from userinfo. */
  readonly unread?: boolean
  /** The path of the profile in the response, such as `data`. */
  readonly envelope?: string
  /** Requests that follow. */
  readonly then?: readonly Call[]
}

export interface DiscoveryFacts {
  /** The URL of the document. */
  readonly at: string
  /** The issuer in the document. */
  readonly issuer: string
  /** The issuer in ID tokens. @default the same */
  readonly tokenIssuer?: string
  readonly authorization?: string
  readonly token?: string
  readonly userinfo?: string
  readonly jwks?: string
}

/** What is known about a service, and the options a developer passes. */
export interface Facts {
  /** The name of the file in `src/providers`, without `.ts`. */
  readonly module: string
  readonly id: string
  readonly name: string
  readonly exportName: string
  readonly type: "oauth" | "oidc"
  /** The module it shares its facts with. */
  readonly aliasOf?: string
  /** @default active */
  readonly status?: "deprecated" | "renamed" | "legacy-endpoint" | "dead"
  readonly options?: Json
  readonly issuer?: string
  readonly discovery?: DiscoveryFacts
  readonly authorization: { readonly url?: string; readonly params?: Fields }
  readonly token: TokenFacts
  readonly userinfo?: UserinfoFacts
  readonly checks: readonly ("pkce" | "state" | "nonce")[]
  readonly pkce?: "plain"
  /** Client metadata other than the authentication method. */
  readonly client?: Json
  /** How ID tokens are signed. @default RS256 */
  readonly alg?: "ES256"
  readonly profileFrom: "id_token" | "userinfo"
  /** Parameters of the callback in addition to `code` and `state`. */
  readonly callback?: Fields
  /** The claims in the ID token. @default the profile of the first sample */
  readonly claims?: Json
  /** The response to an invalid code. @default that of RFC 6749 §5.2 */
  readonly refusal?: { readonly status: number; readonly body: Json }
  /** The content type of JSON responses. */
  readonly contentType?: string
  /** User fields that only a whole sign-in adds. */
  readonly signedIn?: Json
  /** Differences from the specifications: see `quirk-names.ts`. */
  readonly quirks: readonly string[]
  /** The first one signs in. */
  readonly samples: readonly [Sample, ...Sample[]]
  readonly variants?: readonly Variant[]
}

/** The same service with other options or another user. Objects are merged with those of the facts, one level deep. */
export type Variant = Change & { readonly title: string }
export type Change = { readonly [key in keyof Facts]?: Partial<Facts[key]> }

export const client = { clientId: "app-1234", clientSecret: "s3cret/of+the&tests=" } as const

const folder = new URL("facts/", import.meta.url)

const required = ["id", "name", "exportName", "type", "authorization", "token", "checks", "profileFrom", "quirks"]

export const allFacts: readonly Facts[] = readdirSync(folder)
  .sort()
  .map((file) => read(file.replace(/\.json$/, "")))

function read(module: string): Facts {
  return parseFacts(module, readFileSync(new URL(`${module}.json`, folder), "utf8"))
}

export function parseFacts(module: string, text: string): Facts {
  const facts: unknown = JSON.parse(text)
  const missing = required.filter((key) => !isObject(facts) || !(key in facts))
  if (missing.length > 0) throw new Error(`facts/${module}.json has no ${missing.join(", ")}. Add what is missing.`)
  return { ...(facts as Facts), module }
}

export function factsOf(module: string): Facts {
  const found = allFacts.find((facts) => facts.module === module)
  if (found === undefined) throw new Error(`There is no facts/${module}.json`)
  return found
}

/** The facts and each of their variants, with titles. */
export function cases(facts: Facts): readonly (readonly [title: string, facts: Facts])[] {
  const others = (facts.variants ?? []).map((variant) => {
    const { title, ...changes } = variant
    return [`${facts.module} ${title}`, varied(facts, changes)] as const
  })
  return [[facts.module, facts], ...others]
}

/** These keys are replaced, not merged. */
const replaced: ReadonlySet<string> = new Set(["options", "callback", "claims", "signedIn"])

export function varied(facts: Facts, changes: Change): Facts {
  const base: Json = { ...facts }
  const merged = Object.entries(changes).map(([key, value]) => {
    const original = base[key]
    return [key, replaced.has(key) || !isObject(value) || !isObject(original) ? value : { ...original, ...value }]
  })
  // Every key and value type comes from `Facts`.
  return { ...facts, ...(Object.fromEntries(merged) as Partial<Facts>) }
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
