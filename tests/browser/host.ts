import { randomBytes } from "node:crypto"
import { memoryAdapter, type MemoryAdapter } from "@latchkey/adapter-kit/memory"
import credentials from "@latchkey/core/providers/credentials"
import { createServer, type Server } from "@latchkey/core/server"
import type { AuthConfig, EmailConfig } from "@latchkey/core/types"
import { captureLog, createProvider, type FakeProvider } from "@latchkey/testing"
import { onTestFinished } from "vitest"
import { mailer, strongSecret } from "../../packages/core/test/modes/setup.js"
import type { Mode } from "../attack.js"
import { type Answer, document, serve, type Web } from "./web.js"

/** A site with sign-in, and a record of what it did. */
export interface Host extends Web {
  readonly op: FakeProvider
  readonly store: MemoryAdapter
  /** The links in the emails that were sent. */
  readonly links: readonly string[]
  /** The codes in the emails that were sent. */
  readonly codes: readonly string[]
  /** The names of sign-in attempts with a password. */
  readonly asked: readonly string[]
  /** A policy that the application adds to each response. */
  policy: ((nonce: string) => string) | undefined
  /** Headers that the application sets on each response. */
  added: Readonly<Record<string, string>>
  /** Headers that a proxy removes from requests and responses, to test the others alone. */
  lost: readonly string[]
}

/** The strictest policy for a page with its own style, script and form. */
export function strictest(nonce: string): string {
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    "img-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ")
}

export interface Choices {
  readonly op?: FakeProvider
  readonly providers?: (op: FakeProvider) => AuthConfig["providers"]
  readonly name?: string
  /** Trusts the host that the request names, instead of one that is configured. */
  readonly trustsHost?: boolean
  /** Returns `redirectProxyUrl` for the origin of the host. */
  readonly proxy?: (origin: string) => string
}

export async function openHost(
  mode: Mode,
  { op = createProvider(), providers, name, proxy, trustsHost = false }: Choices = {},
): Promise<Host> {
  const [store, asked, mail] = [memoryAdapter(), new Array<string>(), mailer()]
  const codes: string[] = []
  const mailProvider: EmailConfig = {
    ...mail.provider,
    sendVerificationRequest(message) {
      codes.push(message.code ?? "")
      return mail.provider.sendVerificationRequest(message)
    },
  }
  const settings = (origin: string): AuthConfig => ({
    security: mode,
    secret: strongSecret,
    ...(trustsHost ? { trustHost: true } : { url: `${origin}/auth` }),
    adapter: store,
    logger: captureLog().logger,
    rateLimit: false,
    nonce: ({ headers }) => headers.get("x-nonce") ?? undefined,
    providers: providers?.(op) ?? [op.provider({ name: "Acme" }), mailProvider, password(store, asked)],
    redirectProxyUrl: proxy?.(origin),
  })
  let answer: Answer = () => new Response(null, { status: 503 })
  const web = await serve((request) => answer(request), name)
  const host: Host = { ...web, op, store, links: mail.links, codes, asked, policy: undefined, added: {}, lost: [] }
  answer = application(host, createServer(settings(web.origin)))
  return host
}

function application(host: Host, auth: Server): Answer {
  return async (request) => {
    const nonce = randomBytes(16).toString("base64")
    request.headers.set("x-nonce", nonce)
    for (const name of host.lost) request.headers.delete(name)
    const { pathname } = new URL(request.url)
    const response = pathname.startsWith("/auth/") ? await auth.handle(request) : await ownPage(auth, request)
    for (const name of host.lost) response.headers.delete(name)
    for (const [name, value] of Object.entries(host.added)) response.headers.set(name, value)
    if (host.policy !== undefined) response.headers.append("content-security-policy", host.policy(nonce))
    return response
  }
}

/** The pages of the application. Like most applications, it lets the browser cache the account page. */
async function ownPage(auth: Server, request: Request): Promise<Response> {
  const { pathname, searchParams, origin } = new URL(request.url)
  if (pathname === "/page") return document(searchParams.get("markup") ?? "")
  const { session } = await auth.session({ headers: request.headers, origin }, { readOnly: true })
  const who = `<p id="who">${session?.user?.name ?? "signed out"}</p>`
  return document(who, pathname === "/account" ? { "cache-control": "private, max-age=600" } : {})
}

function password(store: MemoryAdapter, asked: string[]) {
  return credentials({
    name: "Password",
    credentials: { name: { label: "Name" }, password: { label: "Password", type: "password" } },
    async authorize({ name, password }) {
      asked.push(String(name))
      if (password !== "open sesame") return null
      const email = `${String(name)}@people.test`
      const known = await store.getUserByEmail(email)
      return known ?? store.createUser({ id: `id-${String(name)}`, name: String(name), email, emailVerified: null })
    },
  })
}

/** Lets the browser reach the provider until the test ends. */
export async function listening(op: FakeProvider): Promise<FakeProvider> {
  const { close } = await op.listen()
  onTestFinished(close)
  return op
}
