import { createAsync, type Location, type RouteDefinition, useLocation } from "@solidjs/router"
import { Show } from "solid-js"
import { getAccount, renameAction } from "~/session"

const load = ({ pathname, search }: Location) => getAccount(pathname + search)

export const route = { preload: ({ location }) => load(location) } satisfies RouteDefinition

export default function Account() {
  const location = useLocation()
  const account = createAsync(() => load(location), { deferStream: true })
  return (
    <Show when={account()}>
      {(user) => (
        <section>
          <h1>Your account</h1>
          <p id="account">{user().email}</p>
          <p id="name">{user().name}</p>
          <form id="rename" method="post" action={renameAction}>
            <label>
              Name
              <input name="name" value={user().name ?? ""} maxLength={60} required />
            </label>
            <button>Save</button>
          </form>
        </section>
      )}
    </Show>
  )
}
