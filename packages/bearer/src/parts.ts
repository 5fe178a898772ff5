import { type ModuleParts, type ModuleUser, type Route, route } from "@latchkey/core/module"
import { appsOf, endApp, endRoute, section } from "./apps.js"
import type { Context, Result } from "./context.js"
import { keySet, metadata } from "./documents.js"
import { identify } from "./identify.js"
import { mintForRequest, mintRoute } from "./mint-route.js"
import { authorize, decide } from "./oauth/authorize.js"
import { endpointRoutes } from "./oauth/endpoints.js"
import { endAll } from "./oauth/families.js"
import { introspectionEndpoint, revocationEndpoint } from "./oauth/status.js"
import { tokenEndpoint } from "./oauth/token-endpoint.js"
import type { BearerOptions, BearerServer } from "./options.js"
import { problemsOf } from "./problems.js"
import type { records } from "./records.js"
import { type Site, siteOf } from "./site.js"
import { texts } from "./texts/texts.js"

export function partsOf(options: BearerOptions): ModuleParts<typeof records, BearerServer> {
  const site = siteOf(options)
  return {
    identify: (context) => identify(site, context),
    routes: routesOf(site),
    account: (context, user) => section(site, context, user),
    limits: {
      mint: { points: 60, seconds: 60 },
      token: { points: 300, seconds: 60 },
    },
    events: {
      authorized: "A user signed in to an app. `client` of the data is its id.",
      "signed-out": "A user signed out of an app.",
      "token-reused": "A refresh token was used again after it was replaced, so its sign-in has ended.",
    },
    texts,
    async revoke(context, { id }) {
      if (!site.isStateless) await endAll(context, id)
    },
    async export(context, { id }) {
      const apps = await appsOf(site, context, id)
      return apps.length === 0 ? null : apps
    },
    server: (context) => ({
      mint: async (request, asked = {}) => mintForRequest(site, await context.at(request), asked),
      apps: (userId) => appsOf(site, context, userId),
      endApp: (userId, id) => endApp(site, context, userId, id),
    }),
    check: () => problemsOf(options),
  }
}

type Handle = (site: Site, context: Context) => Promise<Result>

function routesOf(site: Site): readonly Route[] {
  const anyone = { session: "none" } as const
  const read = (path: string, handle: Handle) =>
    route<typeof records>("GET", path, anyone, async (context: Context) => handle(site, context))
  return [
    read("jwks", keySet),
    read(".well-known/oauth-authorization-server", metadata),
    route<typeof records>("POST", "mint", anyone, async (context: Context, user: ModuleUser | null) =>
      mintRoute(site, context, user),
    ),
    ...(site.introspection === undefined ? [] : endpointRoutes(site, "introspect", introspectionEndpoint, {})),
    ...(site.clients.length === 0 ? [] : clientRoutes(site, read)),
  ]
}

function clientRoutes(site: Site, read: (path: string, handle: Handle) => Route): readonly Route[] {
  const own = (path: string, handle: (site: Site, context: Context, user: ModuleUser) => Promise<Result>) =>
    route<typeof records>("POST", path, {}, async (context: Context, user: ModuleUser) => handle(site, context, user))
  return [
    read("authorize", authorize),
    own("authorize", decide),
    own("end", endRoute),
    ...endpointRoutes(site, "token", tokenEndpoint),
    ...endpointRoutes(site, "revoke", revocationEndpoint),
  ]
}
