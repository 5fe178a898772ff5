import type { AuthConfig } from "../model/config.js"
import { type BoundedMap, createBoundedMap } from "../primitives/bounded-map.js"
import { processState } from "../primitives/state.js"
import { securityMode } from "./defaults.js"

/** Sites in one process, such as tenants with secrets of their own. The least recently compiled one is forgotten first. */
const maxSites = 1000

/** What configurations with the same secrets share. */
export interface Site {
  /** The key for shared state. */
  scope: object
  /** How many requests used the configuration object that claimed the scope last. */
  requests: number
  adapter: object | undefined
}

type Sites = BoundedMap<string, Site>

/** Tests have clocks of their own, and the state of one must not mix with that of another. */
interface Registry {
  readonly system: Sites
  readonly byClock: WeakMap<() => number, Sites>
}

/**
 * The site of a configuration: what its secrets and mode identify, however often the object is created. URL and base path
 * aren't part of it. An application may take them from the host or a mount path with parameters, which clients choose, and
 * they must not get new rate limits that way.
 */
export function siteOf(config: AuthConfig): Site {
  const { secret, jwt, runtime } = config
  const registry = processState<Registry>("sites", () => ({
    system: createBoundedMap(maxSites),
    byClock: new WeakMap(),
  }))
  const sites = runtime?.now === undefined ? registry.system : sitesOf(registry, runtime.now)
  // The map is in a closure, so that no log of the global object shows the secrets.
  const key = JSON.stringify([secret, jwt?.secret, securityMode(config)])
  const site = sites.get(key) ?? { scope: {}, requests: 0, adapter: undefined }
  sites.set(key, site)
  return site
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
 * The scope for a new configuration object. Objects that are made for each request continue the scope of the one before.
 * An object that has served several requests keeps its scope to itself, so two applications with the same secret in one
 * process, such as those of a test, share nothing. With the same adapter they do.
 */
export function claimScope(site: Site, { adapter }: AuthConfig): object {
  const isSameStore = adapter !== undefined && adapter === site.adapter
  if (site.requests > maxRequests && !isSameStore) site.scope = {}
  site.requests = 1
  site.adapter = adapter
  return site.scope
}
