import { component$, Slot } from "@builder.io/qwik"
import { Form, Link } from "@builder.io/qwik-city"
import { useSession, useSignOut } from "./plugin@auth"

export default component$(() => {
  const session = useSession()
  const signOut = useSignOut()
  return (
    <>
      <header>
        <Link class="brand" href="/">
          Harbor
        </Link>
        <nav>
          <Link href="/account/">Account</Link>
          <Link href="/outbox/">Outbox</Link>
        </nav>
        <div class="user-menu">
          {session.value === null ? (
            <a class="button" href="/sign-in/">
              Sign in
            </a>
          ) : (
            <Form action={signOut}>
              <input type="hidden" name="redirectTo" value="/" />
              <span class="user-name">{session.value.user.name ?? session.value.user.email}</span>{" "}
              <button class="quiet">Sign out</button>
            </Form>
          )}
        </div>
      </header>
      <main>
        <Slot />
      </main>
    </>
  )
})
