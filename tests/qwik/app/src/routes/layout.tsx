import { component$, Slot } from "@builder.io/qwik"
import { Form } from "@builder.io/qwik-city"
import { useSession, useSignOut } from "./plugin@auth"

export default component$(() => {
  const session = useSession()
  const signOut = useSignOut()
  return (
    <>
      <header>
        <p id="user">{session.value?.user?.email ?? "signed out"}</p>
        <Form id="leave" action={signOut}>
          <input type="hidden" name="redirectTo" value="/?left" />
          <button>Sign out</button>
        </Form>
        <button onClick$={() => signOut.submit({ redirectTo: "/?left" })}>Sign out by script</button>
      </header>
      <main>
        <Slot />
      </main>
    </>
  )
})
