import type { ServerResponse } from "node:http"
import type { EventCallbacks } from "@latchkey/core/types"

/** An event of the engine, as the page shows it. */
export interface FeedEvent {
  readonly time: string
  readonly name: string
  readonly detail: string
}

/** Collects the events of the engine. */
export interface Feed {
  /** The `events` for a configuration. */
  callbacks(strategy: string): EventCallbacks
  /** The latest events, newest first. */
  latest(): readonly FeedEvent[]
  /** Sends new events as server-sent events. */
  stream(res: ServerResponse): void
}

const maxEvents = 40

export function openFeed(): Feed {
  const events: FeedEvent[] = []
  const listeners = new Set<ServerResponse>()
  const add = (name: string, detail: string) => {
    const event = { time: new Date().toLocaleTimeString("en-US"), name, detail }
    events.unshift(event)
    events.length = Math.min(events.length, maxEvents)
    for (const listener of listeners) listener.write(`data: ${JSON.stringify(event)}\n\n`)
  }
  return {
    callbacks: (strategy) => callbacks((name, detail) => add(name, `${detail} · ${strategy}`)),
    latest: () => events,
    stream(res) {
      res.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" }).flushHeaders()
      listeners.add(res)
      res.on("close", () => listeners.delete(res))
    },
  }
}

function callbacks(add: (name: string, detail: string) => void): EventCallbacks {
  return {
    signIn: ({ user, account, isNewUser }) =>
      add(
        "signIn",
        `${nameOf(user)} with ${account?.provider ?? "?"}${isNewUser === true ? ", for the first time" : ""}`,
      ),
    signInFailure: ({ error, provider }) => add("signInFailure", `${error.name} with ${provider ?? "?"}`),
    signOut: (message) => add("signOut", "session" in message ? "row deleted" : "cookie cleared"),
    createUser: ({ user }) => add("createUser", nameOf(user)),
    updateUser: ({ user }) => add("updateUser", nameOf(user)),
    linkAccount: ({ user, account }) => add("linkAccount", `${account.provider} to ${nameOf(user)}`),
    // What modules report: passwords and second factors.
    security: ({ name, outcome }) => (/^(?:mfa|password|phone)\./.test(name) ? add(name, outcome) : undefined),
    session: ({ session }) => add("session", `read for ${nameOf(session.user ?? {})}`),
  }
}

function nameOf({ name, email }: { readonly name?: string | null; readonly email?: string | null }): string {
  return name ?? email ?? "a user"
}
