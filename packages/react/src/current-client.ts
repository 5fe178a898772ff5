import { type AuthClient, createAuthClient } from "@latchkey/client"
import { __NEXTAUTH as config, clientOptions } from "./config.js"

const mounted: AuthClient[] = []
let standalone: AuthClient | undefined

/** The client of the mounted `SessionProvider`, or one without a provider. Functions outside components use it. */
export function currentClient(): AuthClient {
  return mounted.at(-1) ?? (standalone ??= createAuthClient(clientOptions()))
}

/** Makes `client` the current one and mirrors its session in `__NEXTAUTH`. @returns a function that undoes it */
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
