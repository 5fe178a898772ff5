import { component$ } from "@builder.io/qwik"
import { useSession } from "./plugin@auth"

export default component$(() => {
  const session = useSession()
  return (
    <>
      <h1>Welcome{session.value?.user.name ? `, ${session.value.user.name}` : ""}</h1>
      <p>
        The <a href="/account/">account page</a> needs a session.
      </p>
    </>
  )
})
