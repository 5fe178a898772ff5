import { Form, Link } from "react-router"
import { auth } from "../auth.server"
import type { Route } from "./+types/home"

export async function loader(args: Route.LoaderArgs) {
  return { email: (await auth.getSession(args))?.user.email }
}

export async function action(args: Route.ActionArgs) {
  const form = await args.request.formData()
  return form.get("intent") === "sign-out"
    ? auth.signOut(args, { redirectTo: "/" })
    : auth.signIn(args, undefined, { redirectTo: "/account" })
}

export default function Home({ loaderData: { email } }: Route.ComponentProps) {
  return (
    <>
      <h1>Welcome</h1>
      <p id="user">{email ?? "Not signed in"}</p>
      {email === undefined ? (
        <Form id="sign-in" method="post">
          <p>
            The <Link to="/account">account page</Link> needs a session.
          </p>
          <input type="hidden" name="intent" value="sign-in" />
          <button>Sign in</button>
        </Form>
      ) : (
        <Form id="sign-out" method="post">
          <input type="hidden" name="intent" value="sign-out" />
          <button className="quiet">Sign out</button>
        </Form>
      )}
    </>
  )
}
