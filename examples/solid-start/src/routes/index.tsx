import { createAsync } from "@solidjs/router"
import { Show } from "solid-js"
import { getUser, signInAction, signOutAction } from "~/session"

export default function Home() {
  const user = createAsync(() => getUser(), { deferStream: true })
  return (
    <section>
      <h1>Welcome</h1>
      <p id="user">{user()?.email ?? "Not signed in"}</p>
      <Show
        when={user()}
        fallback={
          <>
            <form id="sign-in" method="post" action={signInAction}>
              <button>Sign in</button>
            </form>
            <p>
              The{" "}
              <a id="sign-in-link" href="/account">
                account page
              </a>{" "}
              needs a session.
            </p>
          </>
        }
      >
        <form id="sign-out" method="post" action={signOutAction}>
          <button class="quiet">Sign out</button>
        </form>
      </Show>
    </section>
  )
}
