import { createAsync, type RouteDefinition } from "@solidjs/router"
import { Show } from "solid-js"
import { getAccount, renameAction } from "~/session"

export const route = { preload: () => getAccount() } satisfies RouteDefinition

export default function Account() {
  const account = createAsync(() => getAccount(), { deferStream: true })
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
