import { Form } from "../form.jsx"
import { withEmail, withPassword, withProvider } from "./actions.js"

/** A custom sign-in page, which also works without JavaScript. */
export default function Login() {
  return (
    <main>
      <h1>Welcome back</h1>
      <Form action={withPassword} button="Sign in">
        <input aria-label="Name" name="name" />
        <input aria-label="Password" name="password" type="password" />
      </Form>
      <form action={withEmail}>
        <input aria-label="Email" name="email" type="email" />
        <button>Email me a link</button>
      </form>
      <form action={withProvider}>
        <button>Sign in with Acme</button>
      </form>
    </main>
  )
}
