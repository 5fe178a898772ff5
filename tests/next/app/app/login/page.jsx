import { Form } from "../form.jsx"
import { withMail, withPassword, withProvider } from "./actions.js"

/** The application's own page for signing in, which works without scripts. */
export default function Login() {
  return (
    <main>
      <h1>Welcome back</h1>
      <Form action={withPassword} button="Enter">
        <input aria-label="Name" name="name" />
        <input aria-label="Password" name="password" type="password" />
      </Form>
      <form action={withMail}>
        <input aria-label="Address" name="email" type="email" />
        <button>Mail me</button>
      </form>
      <form action={withProvider}>
        <button>Go to Acme</button>
      </form>
    </main>
  )
}
