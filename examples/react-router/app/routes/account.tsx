import { Form, redirect } from "react-router"
import { auth } from "../auth.server"
import type { Route } from "./+types/account"

export async function loader(args: Route.LoaderArgs) {
  const { user } = await auth.requireSession(args)
  return { email: user.email, name: user.name }
}

export async function action(args: Route.ActionArgs) {
  await auth.requireSession(args)
  const form = await args.request.formData()
  const name = form.get("name")
  if (typeof name === "string") await auth.update(args, { user: { name } })
  return redirect("/account", 303)
}

export default function Account({ loaderData: { email, name } }: Route.ComponentProps) {
  return (
    <>
      <h1>Your account</h1>
      <p id="account">{email}</p>
      <p id="name">{name}</p>
      <Form id="rename" method="post" className="fields">
        <label>
          New name
          <input name="name" required maxLength={60} />
        </label>
        <button>Rename</button>
      </Form>
    </>
  )
}
