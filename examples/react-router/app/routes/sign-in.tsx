import { Form, redirectDocument } from "react-router"
import { auth } from "../auth.server"
import type { Route } from "./+types/sign-in"

export function loader({ request }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams
  return { callbackUrl: query.get("callbackUrl") ?? "/account", error: query.get("error") }
}

export async function action(args: Route.ActionArgs) {
  const form = await args.request.formData()
  const callbackUrl = form.get("callbackUrl")
  const { to, error } = await auth.signIn(args, "credentials", {
    email: form.get("email"),
    password: form.get("password"),
    redirectTo: typeof callbackUrl === "string" ? callbackUrl : "/account",
    // Show the error here. Otherwise, the sign-in page of the configuration shows it.
    redirect: false,
  })
  return error === undefined ? redirectDocument(to, 303) : { error: error.type }
}

export default function SignIn({ loaderData, actionData }: Route.ComponentProps) {
  const error = actionData?.error ?? loaderData.error
  return (
    <div className="panel">
      <h1>Sign in</h1>
      {error !== null && (
        <p id="error" className="error">
          {error === "CredentialsSignin" ? "Incorrect email or password." : "You couldn’t be signed in. Try again."}
        </p>
      )}
      <Form id="password" method="post" className="fields">
        <input type="hidden" name="callbackUrl" value={loaderData.callbackUrl} />
        <label>
          Email
          <input name="email" type="email" autoComplete="username" required />
        </label>
        <label>
          Password
          <input name="password" type="password" autoComplete="current-password" required />
        </label>
        <button>Sign in</button>
      </Form>
    </div>
  )
}
