import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit/memory"
import credentials from "@latchkey/core/providers/credentials"
import type { AuthConfig, EmailConfig } from "@latchkey/core/types"
import { createProvider, type FakeProvider, type LogEntry } from "@latchkey/testing"
import type { Mode } from "../../../../tests/attack.js"
import { type App, app, origin } from "../http/app.js"

/** An application for hand-written requests that records its emails and `authorize` calls. */
export interface Door extends App {
  readonly config: Partial<AuthConfig>
  readonly op: FakeProvider
  readonly store: MemoryAdapter
  /** The links in the sent emails. */
  readonly mails: string[]
  /** The names that `authorize` was called with. */
  readonly asked: string[]
}

/** An application with all types of providers that both modes accept. */
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
    // One client sends many requests here; rate limits have their own tests.
    rateLimit: false,
    providers: [op.provider(), mail, password],
    ...given,
  }
  return { ...app(config, at), config, op, store, mails: mails ?? [], asked: asked ?? [] }
}

/** The `Cookie` header of a browser after these responses. */
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

/** The name of the session cookie over https. */
export function sessionName(mode: Mode): string {
  return `${mode === "strict" ? "__Host-" : "__Secure-"}authjs.session-token`
}

/** The name of the callback-url cookie over https. */
export function callbackName(mode: Mode): string {
  return `${mode === "strict" ? "__Host-" : "__Secure-"}authjs.callback-url`
}

/** The name of the signed-in user, or `null` without a session. */
export async function whoIs({ get }: Pick<Door, "get">, cookie: string): Promise<unknown> {
  const found: unknown = await (await get("/auth/session", { cookie })).json()
  if (typeof found !== "object" || found === null || !("user" in found)) return null
  return typeof found.user === "object" && found.user !== null && "name" in found.user ? found.user.name : null
}

/** The values of the hidden fields with this name, with decoded entities. */
export function hidden(html: string, name: string): readonly string[] {
  const fields = html.matchAll(new RegExp(`<input type="hidden" name="${name}" value="([^"]*)">`, "g"))
  return [...fields].map(([, value = ""]) => value.replaceAll("&amp;", "&"))
}

export function warnings({ log }: Pick<Door, "log">): readonly string[] {
  return log.entries.filter(({ level }: LogEntry) => level === "warn").map(({ message }) => message)
}
