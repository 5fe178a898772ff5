import { Form } from "../form.jsx"
import { SessionJson } from "../session-json.jsx"
import {
  setRed,
  showUser,
  signInToPage,
  signInWithForm,
  signInWithoutRedirect,
  signInWithRedirect,
  signOutWithoutRedirect,
  signOutWithRedirect,
} from "./actions.js"

export default function Actions() {
  return (
    <main>
      <SessionJson />
      <Form action={showUser} button="Show user" />
      <Form action={setRed} button="Set red" />
      <Form action={signInWithRedirect} button="Sign in" />
      <Form action={signInWithoutRedirect} button="Sign in without redirect" />
      <Form action={signInWithForm} button="Sign in with a form">
        <input type="hidden" name="name" value="grace" />
        <input type="hidden" name="password" value="open sesame" />
        <input type="hidden" name="redirectTo" value="/private" />
        <input type="hidden" name="redirect" value="false" />
      </Form>
      <Form action={signInToPage} button="Sign in to a page" />
      <Form action={signOutWithRedirect} button="Sign out" />
      <Form action={signOutWithoutRedirect} button="Sign out without redirect" />
    </main>
  )
}
