import type { SiteScope, StateScopes } from "../model/auth.js"
import type { AuthConfig } from "../model/config.js"
import { type BoundedMap, createBoundedMap, processState } from "../primitives/state.js"
import { securityMode } from "./presets.js"

/** Sites in one process, such as tenants with secrets of their own. The least recently compiled one is forgotten first. */
const maxSites = 10_000

/** What configurations with the same secrets share. */
export interface Site extends StateScopes {
  application: SiteScope
  /** How many requests used the configuration object that claimed `application` last. */
  requests: number
  adapter: object | undefined
  readonly applications: WeakMap<object, SiteScope>
}

type Sites = BoundedMap<string, Site>

/** Tests have clocks of their own, and the state of one must not mix with that of another. */
interface Registry {
  readonly system: Sites
  readonly byClock: WeakMap<() => number, Sites>
  /** The number of scopes so far. */
  count: number
}

function registryOf(): Registry {
  return processState<Registry>("sites", () => ({
    system: createBoundedMap(maxSites),
    byClock: new WeakMap(),
    count: 0,
  }))
}

/**
 * The site of a configuration: the secrets and the mode identify it, and nothing that a client can choose. An application
 * may take its URL from the host, its base path from a mount path in any spelling, and its adapter and callbacks from the
 * request.
 */
export function siteOf(config: AuthConfig): Site {
  const { secret, jwt, runtime } = config
  const registry = registryOf()
  const sites = runtime?.now === undefined ? registry.system : sitesOf(registry, runtime.now)
  // The map is in a closure, so that no log of the global object shows the secrets.
  const key = JSON.stringify([listOf(secret), listOf(jwt?.secret), securityMode(config)])
  const site = sites.get(key) ?? newSite(newScope(sites))
  sites.set(key, site)
  return site
}

function newSite(scope: SiteScope): Site {
  return { scope, application: scope, requests: 0, adapter: undefined, applications: new WeakMap() }
}

function newScope(clock: object): SiteScope {
  const registry = registryOf()
  registry.count += 1
  return { id: String(registry.count), clock }
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
 * The scopes of a new configuration object. Objects that are made for each request continue the application of the one before,
 * and an object continues the one that it was derived from, such as one for another mount path. An object that has served
 * several requests keeps its application to itself, so that two applications with one secret in a process, such as those of a
 * test, don't refuse each other's attempts. The limits of the site bound what an attacker gains if they are really one.
 */
export function claimScopes(site: Site, { adapter }: AuthConfig, origin: object): StateScopes {
  const known = site.applications.get(origin)
  if (known !== undefined) return { scope: site.scope, application: known }
  const isSameStore = adapter !== undefined && adapter === site.adapter
  if (site.requests > maxRequests && !isSameStore) site.application = newScope(site.scope.clock)
  site.requests = 1
  site.adapter = adapter
  site.applications.set(origin, site.application)
  return { scope: site.scope, application: site.application }
}
