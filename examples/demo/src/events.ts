import type { ServerResponse } from "node:http"
import type { EventCallbacks } from "@latchkey/core/types"

/** Something that the engine told. */
export interface Happening {
  readonly at: string
  readonly name: string
  readonly detail: string
}

/** The engine's events: the latest of them, and a stream of those to come (Server-Sent Events). */
export interface Feed {
  /** To be used as `events` of a configuration. */
  callbacks(strategy: string): EventCallbacks
  latest(): readonly Happening[]
  stream(res: ServerResponse): void
}

/** How many are shown. */
const remembered = 40

export function openFeed(): Feed {
  const happened: Happening[] = []
  const listeners = new Set<ServerResponse>()
  const tell = (name: string, detail: string) => {
    const happening = { at: new Date().toLocaleTimeString("en-GB"), name, detail }
    happened.unshift(happening)
    happened.length = Math.min(happened.length, remembered)
    for (const listener of listeners) listener.write(`data: ${JSON.stringify(happening)}\n\n`)
  }
  return {
    callbacks: (strategy) => callbacks((name, detail) => tell(name, `${detail} · ${strategy}`)),
    latest: () => happened,
    stream(res) {
      res.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" }).flushHeaders()
      listeners.add(res)
      res.on("close", () => listeners.delete(res))
    },
  }
}

function callbacks(tell: (name: string, detail: string) => void): EventCallbacks {
  return {
    signIn: ({ user, account, isNewUser }) =>
      tell(
        "signIn",
        `${nameOf(user)} by ${account?.provider ?? "?"}${isNewUser === true ? ", for the first time" : ""}`,
      ),
    signInFailure: ({ error, provider }) => tell("signInFailure", `${error.name} by ${provider ?? "?"}`),
    signOut: (message) => tell("signOut", "session" in message ? "the row is deleted" : "the cookie is cleared"),
    createUser: ({ user }) => tell("createUser", nameOf(user)),
    updateUser: ({ user }) => tell("updateUser", nameOf(user)),
    linkAccount: ({ user, account }) => tell("linkAccount", `${account.provider} to ${nameOf(user)}`),
    session: ({ session }) => tell("session", `read for ${nameOf(session.user ?? {})}`),
  }
}

function nameOf({ name, email }: { readonly name?: string | null; readonly email?: string | null }): string {
  return name ?? email ?? "somebody"
}
