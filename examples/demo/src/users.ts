/** A user of the OpenID provider, who also has a password in the app. A new one has to be longer. */
export interface DemoUser {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly password: string
}

export const users: readonly DemoUser[] = [
  { id: "ada", name: "Ada Lovelace", email: "ada@example.com", password: "bernoulli" },
  { id: "grace", name: "Grace Hopper", email: "grace@example.com", password: "nanosecond" },
  { id: "alan", name: "Alan Turing", email: "alan@example.com", password: "bombe" },
]

export function userById(id: unknown): DemoUser | undefined {
  return users.find((user) => user.id === id)
}
