import { SessionProvider, useAuthClient, useSession } from "@latchkey/solid-start/client"
import { Show } from "solid-js"
import type { getSession } from "~/auth"

function Profile() {
  const session = useSession<typeof getSession>()
  const client = useAuthClient()
  return (
    <section>
      <h1>In the browser</h1>
      <Show when={session.status !== "loading"}>
        <p id="client-user">{session.data?.user.email ?? "Not signed in"}</p>
        <p id="client-name">{session.data?.user.name}</p>
      </Show>
      <button id="client-rename" onClick={() => session.update({ user: { name: "Client" } })}>
        Call me Client
      </button>
      <button id="client-sign-out" class="quiet" onClick={() => client.signOut({ redirectTo: "/" })}>
        Sign out
      </button>
    </section>
  )
}

export default function Client() {
  return (
    <SessionProvider>
      <Profile />
    </SessionProvider>
  )
}
