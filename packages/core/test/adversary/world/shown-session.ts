/** The session as the site shows it to the browser. */
export interface ShownSession {
  /** The id of the user. `undefined`: no session. */
  readonly subject: string | undefined
  readonly email: unknown
  /** Milliseconds since 1970. */
  readonly expires: number
}

export function readSession(session: unknown): ShownSession {
  const user = read(session, "user")
  const id = read(user, "id")
  return {
    subject: id === undefined ? undefined : String(id),
    email: read(user, "email"),
    expires: Date.parse(String(read(session, "expires"))),
  }
}

function read(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined
}
