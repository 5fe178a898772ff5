import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit/memory"
import credentials from "@latchkey/core/providers/credentials"
import type { AuthConfig, EmailConfig } from "@latchkey/core/types"
import { createProvider, type FakeProvider, type LogEntry } from "@latchkey/testing"
import type { Mode } from "../../../../tests/attack.js"
import { type App, app, origin } from "../http/app.js"

/** An application without a browser between, that tells what it did. */
export interface Door extends App {
  readonly config: Partial<AuthConfig>
  readonly op: FakeProvider
  readonly store: MemoryAdapter
  /** Addresses of the links that were mailed. */
  readonly mails: string[]
  /** Names that authorize() was asked about. */
  readonly asked: string[]
}

/** All kinds of providers behind one address, as both modes accept it. */
export function door(mode: Mode, given: Partial<AuthConfig> = {}, at: string = origin): Door {
  const [op, store] = [createProvider(), memoryAdapter()]
  const [mails, asked]: string[][] = [[], []]
  const mail: EmailConfig = {
    id: "mail",
    name: "Mail",
    type: "email",
    sendVerificationRequest: ({ url }) => void mails?.push(url),
  }
  const password = credentials({
    credentials: { name: { label: "Name" }, password: { type: "password" } },
    async authorize({ name, password }) {
      asked?.push(String(name))
      if (password !== "open") return null
      const email = `${String(name)}@people.test`
      const known = await store.getUserByEmail(email)
      return known ?? store.createUser({ id: `id-${String(name)}`, name: String(name), email, emailVerified: null })
    },
  })
  const config: Partial<AuthConfig> = {
    security: mode,
    url: `${origin}/auth`,
    adapter: store,
    session: { strategy: "jwt" },
    // Tables of attempts are sent here by one client: limits have tests of their own.
    rateLimit: false,
    providers: [op.provider(), mail, password],
    ...given,
  }
  return { ...app(config, at), config, op, store, mails: mails ?? [], asked: asked ?? [] }
}

/** What a browser sends back after these answers. */
export function cookiesOf(...responses: readonly Response[]): string {
  const kept = new Map<string, string>()
  for (const line of responses.flatMap(({ headers }) => headers.getSetCookie())) {
    const [pair = ""] = line.split(";", 1)
    const at = pair.indexOf("=")
    if (line.includes("; Max-Age=0;")) kept.delete(pair.slice(0, at))
    else kept.set(pair.slice(0, at), pair.slice(at + 1))
  }
  return [...kept].map(([name, value]) => `${name}=${value}`).join("; ")
}

/** The Cookie header of a user who signed in with a password. */
export async function session({ post }: Pick<Door, "post">, name = "ada"): Promise<string> {
  const response = await post("/auth/callback/credentials", { name, password: "open" })
  return cookiesOf(response)
}

/** Name of the session cookie over https. */
export function sessionName(mode: Mode): string {
  return `${mode === "strict" ? "__Host-" : "__Secure-"}authjs.session-token`
}

/** Name of the callback-url cookie over https. */
export function callbackName(mode: Mode): string {
  return `${mode === "strict" ? "__Host-" : "__Secure-"}authjs.callback-url`
}

/** The user of the cookies; `null`: no session. */
export async function whoIs({ get }: Pick<Door, "get">, cookie: string): Promise<unknown> {
  const found: unknown = await (await get("/auth/session", { cookie })).json()
  if (typeof found !== "object" || found === null || !("user" in found)) return null
  return typeof found.user === "object" && found.user !== null && "name" in found.user ? found.user.name : null
}

/** Values of the hidden fields of this name on a page, entities resolved. */
export function hidden(html: string, name: string): readonly string[] {
  const fields = html.matchAll(new RegExp(`<input type="hidden" name="${name}" value="([^"]*)">`, "g"))
  return [...fields].map(([, value = ""]) => value.replaceAll("&amp;", "&"))
}

export function warnings({ log }: Pick<Door, "log">): readonly string[] {
  return log.entries.filter(({ level }: LogEntry) => level === "warn").map(({ message }) => message)
}
