import { type AuthClient, createAuthClient } from "@latchkey/client"
import { __NEXTAUTH as config, clientOptions } from "./config.js"

const mounted: AuthClient[] = []
let alone: AuthClient | undefined

/** The client that functions outside of components act on: that of the provider on the page, if there is one. */
export function currentClient(): AuthClient {
  return mounted.at(-1) ?? (alone ??= createAuthClient(clientOptions()))
}

/** Makes it the current one. @returns what takes it back */
export function mount(client: AuthClient): () => void {
  const mirror = () => {
    Object.assign(config, { _session: client.getSnapshot().data, _lastSync: Math.floor(Date.now() / 1000) })
  }
  mounted.push(client)
  Object.assign(config, { _getSession: () => client.update() })
  mirror()
  const unsubscribe = client.subscribe(mirror)
  return () => {
    unsubscribe()
    mounted.splice(mounted.indexOf(client), 1)
    Object.assign(config, { _session: undefined, _lastSync: 0, _getSession() {} })
  }
}
