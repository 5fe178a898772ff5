import { readdirSync, readFileSync } from "node:fs"

export type Fields = Readonly<Record<string, string>>
export type Json = Readonly<Record<string, unknown>>

/** A raw profile and exactly the user that it stands for. */
export interface Sample {
  readonly profile: Json
  readonly user: Json & { readonly id: string }
}

export interface TokenFacts {
  /** Missing: found by discovery. */
  readonly url?: string
  /** `own`: in the fields below. */
  readonly auth: "client_secret_basic" | "client_secret_post" | "none" | "own"
  readonly headers?: Fields
  readonly query?: Fields
  /** Fields of the form beside those of RFC 6749. */
  readonly form?: Fields
  /** The whole form instead; `{code}` and `{redirect_uri}` are filled in. */
  readonly replaces?: Fields
  /** Fields of the answer beside the usual ones, */
  readonly answer?: Json
  /** where the tokens lie in it, and what lies around them. */
  readonly envelope?: string
  readonly around?: Json
}

/** `{token}` in an address is the access token, `*` as a header anything. */
export interface Call {
  readonly url: string
  readonly method?: string
  readonly headers?: Fields
  /** Default for the first call: the profile of the sample. */
  readonly answer?: unknown
  readonly status?: number
}

export interface UserinfoFacts extends Omit<Call, "url"> {
  /** Missing: found by discovery. */
  readonly url?: string
  /** The request is the provider's own. */
  readonly custom?: boolean
  /** The profile does not come from there. */
  readonly unread?: boolean
  /** Where the profile lies in the answer. */
  readonly envelope?: string
  /** Calls that follow. */
  readonly then?: readonly Call[]
}

export interface DiscoveryFacts {
  /** Address of the document. */
  readonly at: string
  /** As the document has it. */
  readonly issuer: string
  /** As ID tokens have it. Default: the same. */
  readonly tokenIssuer?: string
  readonly authorization?: string
  readonly token?: string
  readonly userinfo?: string
  readonly jwks?: string
}

/** What is known of a service, and what a developer has to say beside the client. */
export interface Facts {
  /** Of the file in `src/providers`. */
  readonly module: string
  readonly id: string
  readonly name: string
  readonly exportName: string
  readonly type: "oauth" | "oidc"
  /** The module that it shares its facts with. */
  readonly aliasOf?: string
  /** Default: active. */
  readonly status?: "deprecated" | "renamed" | "legacy-endpoint" | "dead"
  readonly options?: Json
  readonly issuer?: string
  readonly discovery?: DiscoveryFacts
  readonly authorization: { readonly url?: string; readonly params?: Fields }
  readonly token: TokenFacts
  readonly userinfo?: UserinfoFacts
  readonly checks: readonly ("pkce" | "state" | "nonce")[]
  readonly pkce?: "plain"
  /** Client metadata beside the way it authenticates. */
  readonly client?: Json
  /** Of ID tokens. Default: RS256. */
  readonly alg?: "ES256"
  readonly profileFrom: "id_token" | "userinfo"
  /** Parameters of the callback beside `code` and `state`. */
  readonly callback?: Fields
  /** Of the ID token. Default: the profile of the sample. */
  readonly claims?: Json
  /** How a code that is not good is refused. Default: RFC 6749 §5.2. */
  readonly refusal?: { readonly status: number; readonly body: Json }
  /** Of what is JSON. */
  readonly contentType?: string
  /** What a whole sign-in adds to the user of the sample. */
  readonly signedIn?: Json
  /** Classes of odd behaviour: see `quirks.ts`. */
  readonly quirks: readonly string[]
  /** The first is who signs in. */
  readonly samples: readonly [Sample, ...Sample[]]
  readonly variants?: readonly Variant[]
}

/** The same service with other options, or another person: objects lie over those of the facts, one level deep. */
export type Variant = Change & { readonly title: string }
export type Change = { readonly [key in keyof Facts]?: Partial<Facts[key]> }

export const client = { clientId: "app-1234", clientSecret: "s3cret/of+the&tests=" } as const

const folder = new URL("facts/", import.meta.url)

const required = ["id", "name", "exportName", "type", "authorization", "token", "checks", "profileFrom", "quirks"]

export const catalogue: readonly Facts[] = readdirSync(folder)
  .sort()
  .map((file) => read(file.replace(/\.json$/, "")))

function read(module: string): Facts {
  const facts: unknown = JSON.parse(readFileSync(new URL(`${module}.json`, folder), "utf8"))
  const missing = required.filter((key) => typeof facts !== "object" || facts === null || !(key in facts))
  if (missing.length > 0) throw new Error(`facts/${module}.json lacks ${missing.join(", ")}: write it down`)
  return { ...(facts as Facts), module }
}

export function factsOf(module: string): Facts {
  const found = catalogue.find((facts) => facts.module === module)
  if (found === undefined) throw new Error(`There is no facts/${module}.json: write it`)
  return found
}

/** The facts and each of their variants, with what tells them apart. */
export function cases(facts: Facts): readonly (readonly [title: string, facts: Facts])[] {
  const others = (facts.variants ?? []).map((variant) => {
    const { title, ...changes } = variant
    return [`${facts.module} ${title}`, varied(facts, changes)] as const
  })
  return [[facts.module, facts], ...others]
}

/** What replaces rather than completes. */
const whole: ReadonlySet<string> = new Set(["options", "callback", "claims", "signedIn"])

export function varied(facts: Facts, changes: Change): Facts {
  const base: Json = { ...facts }
  const laid = Object.entries(changes).map(([key, value]) => {
    const below = base[key]
    return [key, whole.has(key) || !isObject(value) || !isObject(below) ? value : { ...below, ...value }]
  })
  // Every key is one of `Facts`, and of its type.
  return { ...facts, ...(Object.fromEntries(laid) as Partial<Facts>) }
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
