import { type AuthClient, createAuthClient } from "@latchkey/client"
import { __NEXTAUTH, clientOptions } from "./config.js"

const mounted: AuthClient[] = []
let alone: AuthClient | undefined

/** The client that functions outside of components act on: that of the provider on the page, if there is one. */
export function currentClient(): AuthClient {
  return mounted.at(-1) ?? (alone ??= createAuthClient(clientOptions()))
}

/** Makes it the current one. @returns what takes it back */
export function mount(client: AuthClient): () => void {
  const mirror = () => {
    __NEXTAUTH._session = client.getSnapshot().data
    __NEXTAUTH._lastSync = Math.floor(Date.now() / 1000)
  }
  mounted.push(client)
  __NEXTAUTH._getSession = () => client.update()
  mirror()
  const unsubscribe = client.subscribe(mirror)
  return () => {
    unsubscribe()
    mounted.splice(mounted.indexOf(client), 1)
    Object.assign(__NEXTAUTH, { _session: undefined, _lastSync: 0, _getSession() {} })
  }
}
