/** Two users with browsers of their own, and the attacker, who is a user too. */
export const names = ["ada", "bob", "mallory"] as const
export type Name = (typeof names)[number]

export const victims = ["ada", "bob"] as const

export const origins = {
  app: "https://app.example.test",
  /** The same host without TLS, where the network attacker answers. */
  plain: "http://app.example.test",
  /** Another application of the same site, under the attacker's control. */
  sibling: "https://sibling.example.test",
  /** The attacker's own site. */
  foreign: "https://mallory.test",
  op: "https://op.test",
  hub: "https://hub.test",
  /** The attacker's own identity provider. */
  rogue: "https://rogue.test",
} as const

export function emailOf(name: Name): string {
  return `${name}@mail.test`
}

export function passwordOf(name: Name): string {
  return `password-of-${name}-5f2b9c`
}

/** With this password the directory of the application fails, and its error quotes the password. */
export const failingPassword = "correct horse battery staple"

export function isName(text: unknown): text is Name {
  return names.some((name) => name === text)
}

export function ownerOfEmail(email: string): Name | undefined {
  return names.find((name) => emailOf(name) === email.toLowerCase())
}
