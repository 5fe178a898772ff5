import type { DefaultPeople, People, Person } from "./model.js"

/** New objects each time, because tests change them. */
function defaultPeople(): DefaultPeople {
  return {
    ada: person("Ada Lovelace", "ada"),
    grace: person("Grace Hopper", "grace"),
    linus: person("Linus Pauling", "linus"),
  }
}

function person(name: string, id: string): Person {
  return { name, email: `${id}@example.test`, email_verified: true, picture: `https://op.test/pictures/${id}.png` }
}

export function peopleWith(more: Readonly<Record<string, Person>> = {}): People {
  return { ...defaultPeople(), ...structuredClone(more) }
}

const emailClaims: ReadonlySet<string> = new Set(["email", "email_verified"])

/** The claims for a scope (OpenID Connect Core §5.4). Without `openid`, all claims. */
export function claimsFor(people: People, id: string, scope: string): Record<string, unknown> {
  const { sub = id, ...claims } = people[id] ?? {}
  const scopes = new Set(scope.split(" "))
  const allowed = ([claim]: readonly [string, unknown]) => scopes.has(emailClaims.has(claim) ? "email" : "profile")
  const entries = Object.entries(claims)
  return { sub, ...Object.fromEntries(scopes.has("openid") ? entries.filter(allowed) : entries) }
}
