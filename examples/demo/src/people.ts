/** Somebody to sign in as: known to the OpenID provider, and to the demo itself by a password. */
export interface Person {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly password: string
}

export const people: readonly Person[] = [
  { id: "ada", name: "Ada Lovelace", email: "ada@example.com", password: "bernoulli" },
  { id: "grace", name: "Grace Hopper", email: "grace@example.com", password: "nanosecond" },
  { id: "alan", name: "Alan Turing", email: "alan@example.com", password: "bombe" },
]

export function personOf(id: unknown): Person | undefined {
  return people.find((person) => person.id === id)
}
