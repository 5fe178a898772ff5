import { component$, Slot } from "@builder.io/qwik"
import { useSession } from "./plugin@auth"

export default component$(() => {
  const session = useSession()
  return (
    <main data-signed-in={session.value !== null}>
      <Slot />
    </main>
  )
})
