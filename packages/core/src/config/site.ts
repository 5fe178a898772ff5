import type { SiteScope, StateScopes } from "../model/auth.js"
import type { AuthConfig } from "../model/config.js"
import { type BoundedMap, createBoundedMap } from "../primitives/bounded-map.js"
import { processState } from "../primitives/state.js"
import { securityMode } from "./defaults.js"

/** Sites in one process, such as tenants with secrets of their own. The least recently compiled one is forgotten first. */
const maxSites = 10_000

/** What configurations with the same secrets share. */
export interface Site extends StateScopes {
  notices: object
  /** How many requests used the configuration object that claimed `notices` last. */
  requests: number
  adapter: object | undefined
}

type Sites = BoundedMap<string, Site>

/** Tests have clocks of their own, and the state of one must not mix with that of another. */
interface Registry {
  readonly system: Sites
  readonly byClock: WeakMap<() => number, Sites>
  /** The number of sites so far. */
  count: number
}

/**
 * The site of a configuration: the secrets and the mode identify it, and nothing that a client can choose. An application
 * may take its URL from the host, its base path from a mount path in any spelling, and its adapter and callbacks from the
 * request. None of them begins new counters.
 */
export function siteOf(config: AuthConfig): Site {
  const { secret, jwt, runtime } = config
  const registry = processState<Registry>("sites", () => ({
    system: createBoundedMap(maxSites),
    byClock: new WeakMap(),
    count: 0,
  }))
  const sites = runtime?.now === undefined ? registry.system : sitesOf(registry, runtime.now)
  // The map is in a closure, so that no log of the global object shows the secrets.
  const key = JSON.stringify([listOf(secret), listOf(jwt?.secret), securityMode(config)])
  const site = sites.get(key) ?? newSite({ id: String(++registry.count), clock: sites })
  sites.set(key, site)
  return site
}

function newSite(scope: SiteScope): Site {
  return { scope, notices: {}, requests: 0, adapter: undefined }
}

/** One secret and a list with only that secret are the same. */
function listOf(secret: string | readonly string[] | undefined): readonly string[] {
  return [secret ?? []].flat()
}

function sitesOf({ byClock }: Registry, clock: () => number): Sites {
  const known = byClock.get(clock)
  if (known !== undefined) return known
  const sites = createBoundedMap<string, Site>(maxSites)
  byClock.set(clock, sites)
  return sites
}

/**
 * An object that is made for one request may seem to be used by a few, because a framework can copy the headers, for example
 * to read the session and to sign in.
 */
const maxRequests = 3

/**
 * The scopes of a new configuration object. `notices` is only for what was logged: an object that has served several requests
 * keeps it to itself, so that each of two applications with one secret in a process logs its own warnings. Counters and
 * memories of used values never depend on the object.
 */
export function claimScopes(site: Site, { adapter }: AuthConfig): StateScopes {
  const isSameStore = adapter !== undefined && adapter === site.adapter
  if (site.requests > maxRequests && !isSameStore) site.notices = {}
  site.requests = 1
  site.adapter = adapter
  return { scope: site.scope, notices: site.notices }
}
