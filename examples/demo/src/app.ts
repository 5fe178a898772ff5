import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { ExpressAuth, type ExpressAuthConfig, getSession } from "@latchkey/express"
import type { Inbox } from "@latchkey/testing"
import express, { type Express, type RequestHandler } from "express"
import { formToken, type Strategy } from "./auth.js"
import type { Feed } from "./events.js"
import { inboxRoutes } from "./inbox.js"
import { sendIcon, sendPage } from "./layout.js"
import { demoPage } from "./page.js"
import { phoneRoutes } from "./phone.js"
import { users } from "./users.js"
import type { Store } from "./store.js"

/** What the app uses. */
export interface Services {
  readonly configs: ReadonlyMap<Strategy, ExpressAuthConfig>
  readonly store: Store
  readonly feed: Feed
  readonly inbox: Inbox
  readonly issuer: string
}

/** The demo app: a page and the sign-in routes for each session strategy, the inbox, and the phone. */
export function demoApp(services: Services): Express {
  const app = express().disable("x-powered-by")
  for (const [strategy, config] of services.configs) {
    app.use(strategy.mount, ExpressAuth(config))
    app.get(strategy.page, page(strategy, config, services))
  }
  app.get(["/icon.svg", "/favicon.ico"], (_req, res) => sendIcon(res))
  app.use("/client", express.static(dirname(fileURLToPath(import.meta.resolve("@latchkey/client")))))
  app.get("/events", (_req, res) => services.feed.stream(res))
  app.use(inboxRoutes(services.inbox))
  app.use(phoneRoutes())
  return app
}

function page(strategy: Strategy, config: ExpressAuthConfig, { store, feed, inbox, issuer }: Services): RequestHandler {
  return async (req, res) => {
    const session = await getSession(req, config, res)
    const { token, cookies } = await formToken(config, req.get("cookie") ?? "")
    res.append("Set-Cookie", cookies)
    const messages = inbox.messages.length
    const view = {
      strategy,
      session,
      csrfToken: token,
      users,
      tables: store.tables(),
      events: feed.latest(),
      messages,
      issuer,
    }
    sendPage(res, demoPage(view))
  }
}
