import { component$ } from "@builder.io/qwik"
import { Form } from "@builder.io/qwik-city"
import { useSession, useSignIn, useSignOut } from "./plugin@auth"

export default component$(() => {
  const session = useSession()
  const signIn = useSignIn()
  const signOut = useSignOut()
  return session.value === null ? (
    <>
      <p id="user">Not signed in</p>
      <Form action={signIn} id="sign-in">
        <input type="hidden" name="redirectTo" value="/account" />
        <button>Sign in</button>
      </Form>
    </>
  ) : (
    <>
      <p id="user">{session.value.user?.email}</p>
      <Form action={signOut} id="sign-out">
        <input type="hidden" name="redirectTo" value="/" />
        <button>Sign out</button>
      </Form>
    </>
  )
})
