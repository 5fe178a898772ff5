import { Auth as PublishedAuth, type AuthConfig as PublishedConfig } from "@auth/core"
import type { Adapter as PublishedAdapter } from "@auth/core/adapters"
import type { AuthConfig } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import { type Browser, openBrowser, visit } from "@latchkey/testing"

const quiet = { error: ignore, warn: ignore, debug: ignore }

function ignore(): void {
  // Other tests check the log.
}

/** Two applications at one origin, `@auth/core` and Latchkey, and a browser with the same cookies for each. */
export interface Swap {
  readonly theirs: Browser
  readonly ours: Browser
}

/** Opens the application before and after the swap of the import. */
export async function swap(
  settings: { readonly theirs: PublishedConfig; readonly ours: AuthConfig },
  origin = "https://app.test",
): Promise<Swap> {
  const ours = await visit(settings.ours, { origin })
  return { ours, theirs: published(settings.theirs, ours) }
}

/** Opens `@auth/core` with the cookies of another browser. */
export function published(config: PublishedConfig, { origin, jar }: Browser): Browser {
  const complete: PublishedConfig = { trustHost: true, basePath: "/auth", logger: quiet, ...config }
  return openBrowser({
    origin,
    jar,
    handle: async (request) =>
      new URL(request.url).pathname.startsWith("/auth") ? await PublishedAuth(request, complete) : new Response("app"),
  })
}

export const secret = "q7Xw2LzB9vKd4RmT1nYc8HsJ5gPf3EoU6aVi0ZxQbNk="
export const nextSecret = "M3tGh8WqZ1rXy6UcVb0LkPd5JnSf2AeTo9BiRw4Hm7Q="

/** Signs in any name, in both applications. */
export const byName = {
  id: "credentials",
  name: "Name",
  type: "credentials" as const,
  credentials: { name: {} },
  authorize: ({ name }: { name?: unknown }) => ({
    id: `id of ${String(name)}`.slice(0, 40),
    name: String(name),
    email: "ada@example.test",
  }),
}

/** Adapts the types: the methods of `@auth/core` always return a promise. */
export function forPublished(adapter: Adapter): PublishedAdapter {
  return {
    ...adapter,
    deleteUser: async (id) => (await adapter.deleteUser?.(id)) ?? null,
    linkAccount: async (account) => (await adapter.linkAccount?.(account)) ?? null,
    unlinkAccount: async (account) => (await adapter.unlinkAccount?.(account)) ?? undefined,
    deleteSession: async (token) => (await adapter.deleteSession?.(token)) ?? null,
  }
}

/** An email provider, and the links that it sends. */
export function mailer(): { provider: MailProvider; links: string[] } {
  const links: string[] = []
  const provider: MailProvider = {
    id: "mail",
    name: "Mail",
    type: "email",
    maxAge: 86_400,
    sendVerificationRequest: ({ url }) => void links.push(url),
  }
  return { provider, links }
}

interface MailProvider {
  readonly id: string
  readonly name: string
  readonly type: "email"
  readonly maxAge: number
  sendVerificationRequest(params: { readonly url: string }): void
}

export function lastOf(links: readonly string[]): string {
  const link = links.at(-1)
  if (link === undefined) throw new Error("No link was sent")
  return link
}

/** The value of the session cookie under any of its names. */
export function sessionToken({ cookies }: Browser): string | undefined {
  return cookies.find(({ name }) => name.endsWith("session-token"))?.value
}
