import { createRequire } from "node:module"
import type { AuthConfig } from "@latchkey/core"
import { type Browser, openBrowser, visit } from "@latchkey/testing"

/** The options that the tests use. The types of the package change those of Node for every test. */
export interface NextAuthOptions {
  readonly providers: readonly object[]
  readonly secret?: string
  readonly adapter?: object
  readonly session?: object
  readonly cookies?: object
  readonly jwt?: object
  readonly callbacks?: object
  readonly logger?: object
}

type NextAuth = (req: object, res: object, options: object) => Promise<void>

// The package is CommonJS with a default export, which `import` doesn't unwrap.
const require = createRequire(import.meta.url)
const { default: NextAuth } = require("next-auth-4") as { readonly default: NextAuth }

const basePath = "/api/auth"

/** An application before and after the change from next-auth 4, with one browser for both. */
export interface Upgrade {
  readonly version4: Browser
  readonly ours: Browser
}

export async function upgrade(
  settings: { readonly version4: NextAuthOptions; readonly ours: AuthConfig },
  origin = "https://app.test",
): Promise<Upgrade> {
  const ours = await visit({ basePath, ...settings.ours }, { origin })
  return { ours, version4: version4At(settings.version4, ours) }
}

/** Opens next-auth 4 with the cookies of another browser. The test sets AUTH_TRUST_HOST, which lets the host be any. */
export function version4At(options: NextAuthOptions, { origin, jar }: Pick<Browser, "origin" | "jar">): Browser {
  const logger = { error: ignore, warn: ignore, debug: ignore }
  return openBrowser({
    origin,
    jar,
    basePath,
    handle: async (request) =>
      new URL(request.url).pathname.startsWith(basePath)
        ? await answer(request, { logger, ...options })
        : new Response("app"),
  })
}

function ignore(): void {
  // Other tests check the log.
}

/** Calls next-auth 4 as an API Route of Next.js does. */
async function answer(request: Request, options: NextAuthOptions): Promise<Response> {
  const url = new URL(request.url)
  const req = {
    method: request.method,
    headers: {
      ...Object.fromEntries(request.headers),
      "x-forwarded-host": url.host,
      "x-forwarded-proto": url.protocol.slice(0, -1),
    },
    cookies: cookiesOf(request.headers.get("cookie") ?? ""),
    query: {
      ...Object.fromEntries(url.searchParams),
      nextauth: url.pathname.slice(basePath.length + 1).split("/"),
    },
    body: Object.fromEntries(new URLSearchParams(await request.text())),
  }
  const headers = new Headers()
  let status = 200
  let body: string | undefined
  const res = {
    status(code: number) {
      status = code
      return res
    },
    getHeader: (name: string) => (name === "Set-Cookie" ? headers.getSetCookie() : headers.get(name)),
    setHeader(name: string, value: string | readonly string[]) {
      headers.delete(name)
      for (const each of [value].flat()) headers.append(name, each)
      return res
    },
    json(value: unknown) {
      headers.set("content-type", "application/json")
      body = JSON.stringify(value)
    },
    send(value: unknown) {
      body = typeof value === "string" ? value : JSON.stringify(value)
    },
    end: ignore,
  }
  // It writes the default secret into the options.
  await NextAuth(req, res, { ...options })
  return new Response(body ?? null, { status, headers })
}

function cookiesOf(header: string): Record<string, string> {
  const pairs = header.split(";").filter((pair) => pair.includes("="))
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = "", ...value] = pair.split("=")
      return [name.trim(), decodeURIComponent(value.join("=").trim())]
    }),
  )
}

/** A session of version 4: `{}` means that there is none. */
export async function sessionAt(version4: Browser): Promise<unknown> {
  const session = await version4.session()
  return typeof session === "object" && session !== null && Object.keys(session).length === 0 ? null : session
}
