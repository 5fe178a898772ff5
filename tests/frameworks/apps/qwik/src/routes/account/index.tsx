import { component$ } from "@builder.io/qwik"
import { Form, type RequestHandler, routeAction$ } from "@builder.io/qwik-city"
import { requireSession, update, useSession } from "../plugin@auth"

export const onRequest: RequestHandler = async (ev) => {
  await requireSession(ev)
}

export const useRename = routeAction$(async ({ name }, ev) => {
  await update(ev, { user: { name: typeof name === "string" ? name : "" } })
  throw ev.redirect(303, "/account")
})

export default component$(() => {
  const session = useSession()
  const rename = useRename()
  return (
    <>
      <p id="account">{session.value?.user?.email}</p>
      <p id="name">{session.value?.user?.name}</p>
      <Form action={rename} id="rename">
        <input name="name" />
        <button>Rename</button>
      </Form>
    </>
  )
})
