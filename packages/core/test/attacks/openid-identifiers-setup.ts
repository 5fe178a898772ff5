import type { OAuthConfig } from "@latchkey/core/types"

/** Claims that the user or an administrator can change or reassign. */
const changeable =
  /mail|login|upn|principal|user_?name|preferred|handle|nick|screen|slug|(?:^|\.)(?:given_?|family_?|first_?|last_?|display_?|full_?)?name|url|phone|picture|avatar|vanity|tag/i

/** A name that ends in `_id`, such as `login_id`, is a stable number. */
const mutable = { test: (path: string) => changeable.test(path) && !/_id\W*$/.test(path) }

const lasting = /(?:^|[._])(?:sub|uuid|[a-z]*id)$/i

/** Returns the value of a claim, or `undefined` if it's missing. */
type Marker = (path: string) => string | undefined

/** A profile in which every claim exists. The marker derives its value from its path. */
function chameleon(marker: Marker, path = ""): unknown {
  const text = () => marker(path)
  return new Proxy(() => undefined, {
    get: (_, name) => {
      if (name === Symbol.toPrimitive || name === "toString" || name === "valueOf" || name === "toJSON") return text
      if (name === Symbol.iterator) return () => [chameleon(marker, `${path}[]`)].values()
      if (typeof name === "symbol" || name === "then") return undefined
      const inner = path === "" ? name : `${path}.${name}`
      return marker(inner) === undefined ? undefined : chameleon(marker, inner)
    },
    apply: () => chameleon(marker, `${path}()`),
  })
}

async function idFrom(provider: OAuthConfig, raw: unknown): Promise<string> {
  const { profile } = provider
  if (profile === undefined) throw new Error("The provider has no profile() of its own")
  const user = await Reflect.apply(profile, provider, [raw, { access_token: "token", token_type: "bearer" }])
  return String(Reflect.get(Object(user), "id"))
}

/**
 * Describes the problem with the account id of a provider, or returns `undefined`. The id must depend on a claim, and
 * not on one that can be changed or reassigned.
 */
export async function problemWithId(provider: OAuthConfig): Promise<string | undefined> {
  // The default `profile()` has its own test.
  if (provider.profile === undefined) return undefined
  const before = await idFrom(
    provider,
    chameleon((path) => `<${path}>`),
  )
  const renamed = await idFrom(
    provider,
    chameleon((path) => (mutable.test(path) ? `<${path} renamed>` : `<${path}>`)),
  )
  const stranger = await idFrom(
    provider,
    chameleon((path) => (mutable.test(path) ? `<${path}>` : `<${path} of another>`)),
  )
  if (before !== renamed || mutable.test(before)) return `follows ${before}`
  if (before === stranger) return `is ${before} for every user`
  const nameless = await idFrom(
    provider,
    chameleon((path) => (lasting.test(path) ? undefined : `<${path}>`)),
  ).catch(String)
  return mutable.test(/<[^>]*>/.exec(nameless)?.[0] ?? "") ? `falls back to ${nameless}` : undefined
}
